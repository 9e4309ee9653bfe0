/**
 * Makes every library run its production branch, however it reads the environment: Elysia asks Bun.env, others
 * process.env. main.ts imports this before anything else.
 */
Object.assign(process.env, { NODE_ENV: "production" });

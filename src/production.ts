/**
 * Has every library run the branch that it is meant to run for users, whatever reads the environment and how: Elysia asks
 * Bun.env, others process.env. main.ts imports this before anything else.
 */
Object.assign(process.env, { NODE_ENV: "production" });

/** Has the servers of journeys be below a path of their host (journey.ts). */
process.env.TEST_BASE_PATH ??= "/shared/satchel";

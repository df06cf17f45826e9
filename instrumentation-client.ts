// Runs before the scripts of the page. Zod would try whether it may compile its schemas to code: the
// pages' policy refuses that (docs/decisions/030), and browsers report the attempt. Set where Zod looks
// for its configuration, because its own function for it would weigh 6 kB on the pages without Zod.
Object.assign(window, { __zod_globalConfig: { jitless: true } });

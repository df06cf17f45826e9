import { readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { type NodeChild, startNode } from "@/scripts/child";
import { requireChromium } from "@/scripts/chromium";
import { ROOT, say } from "@/scripts/command";
import { isBuildFresh, startBuild } from "@/scripts/fresh-build";
import { Services } from "@/scripts/services";

/** How many tests passed and failed. */
interface Tally {
  passed: number;
  failed: number;
}

export interface Step {
  title: string;
  /** Runs the step's programs, through `start`, and answers with the exit code. */
  run: (start: (begin: () => NodeChild) => Promise<number>) => Promise<number>;
  /** After the step: what its tests gave. */
  tally?: () => Tally;
}

/** Where playwright.config.ts writes its report. */
const REPORT = path.join(ROOT, "test-results/results.json");

const program = (file: string) => path.join(ROOT, "node_modules", file);

function node({
  args,
  env = {},
  isGuarded,
}: {
  args: readonly string[];
  env?: Record<string, string>;
  isGuarded?: boolean;
}): NodeChild {
  return startNode({ args, env: { ...process.env, ...env }, isGuarded });
}

function readReport(): Tally {
  const { stats } = JSON.parse(readFileSync(REPORT, "utf8")) as {
    stats: { expected: number; unexpected: number; flaky: number };
  };
  return { passed: stats.expected + stats.flaky, failed: stats.unexpected };
}

function playwright({ title, projects }: { title: string; projects: readonly string[] }): Step {
  return {
    title,
    run: (start) => {
      rmSync(REPORT, { force: true });
      const env: Record<string, string> = {};
      if (projects.includes("ui")) env.CHROMIUM_PATH = requireChromium();
      const args = [program("@playwright/test/cli.js"), "test"];
      for (const project of projects) args.push(`--project=${project}`);
      return start(() => node({ args, env, isGuarded: false }));
    },
    tally: readReport,
  };
}

const types: Step = {
  title: "Types",
  // The types of routes and of `next-env.d.ts` are generated: a fresh checkout has none.
  run: async (start) =>
    (await start(() => node({ args: [program("next/dist/bin/next"), "typegen"] }))) ||
    (await start(() => node({ args: [program("typescript/bin/tsc"), "--noEmit"] }))),
};

const lint: Step = {
  title: "Lint",
  run: (start) => start(() => node({ args: [program("@biomejs/biome/bin/biome"), "check"] })),
};

const build: Step = {
  title: "Build",
  run: async (start) => {
    if (!isBuildFresh()) return start(startBuild);
    say("La boutique est déjà construite à partir de ces sources.");
    return 0;
  },
};

/** Types, lint, unit and API tests. Both kinds of tests may ask the built shop. */
export const verifySteps: readonly Step[] = [
  types,
  lint,
  build,
  playwright({ title: "Unit and API tests", projects: ["unit", "api"] }),
];

export const testSteps: readonly Step[] = [
  ...verifySteps,
  playwright({ title: "Browser tests", projects: ["ui"] }),
];

/**
 * Runs the steps one after the other, up to the first that fails. The last line of its output is
 * "N passed, N failed", over all tests; a step that failed for another reason counts as one.
 *
 * @returns the exit code of the step that failed, else 0
 */
export async function runSteps(steps: readonly Step[]): Promise<number> {
  const services = new Services(130);
  const start = async (begin: () => NodeChild) => {
    const child = await services.start(async () => begin());
    const code = await child.ended;
    return services.isFinishing ? services.finish(130) : code;
  };
  const total: Tally = { passed: 0, failed: 0 };
  let exitCode = 0;
  for (const step of steps) {
    console.log(`\n=== ${step.title} ===\n`);
    let tally: Tally = { passed: 0, failed: 0 };
    try {
      exitCode = await step.run(start);
      if (step.tally) tally = step.tally();
    } catch (error) {
      console.error(error instanceof Error ? error.message : error);
      exitCode ||= 1;
    }
    total.passed += tally.passed;
    total.failed += tally.failed;
    if (exitCode !== 0) {
      if (tally.failed === 0) total.failed += 1;
      console.log(`\n=== ${step.title}: failed (exit code ${exitCode}) ===`);
      break;
    }
  }
  console.log(`\n${total.passed} passed, ${total.failed} failed`);
  return exitCode;
}

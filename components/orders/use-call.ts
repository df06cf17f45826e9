"use client";

import { useState } from "react";
import { ApiError } from "@/lib/api-error";

/** The state of a button's calls: whether one is running, and the message of the last failure. */
export function useCall(messageOf: (error: ApiError) => string) {
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  async function run(call: () => Promise<void>): Promise<void> {
    setProblem(null);
    setIsBusy(true);
    try {
      await call();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (!error.isSessionOver) setProblem(messageOf(error));
    } finally {
      setIsBusy(false);
    }
  }

  return { isBusy, problem, setProblem, run };
}

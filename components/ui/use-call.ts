"use client";

import { useRef, useState } from "react";
import { ApiError } from "@/lib/api-error";

/** Runs the calls of a button or a small form one at a time, and keeps the problem of the last call. */
export function useCall<Problem>(problemOf: (error: ApiError) => Problem) {
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  // A scanner's Enter may come twice before React has rendered.
  const isRunning = useRef(false);

  async function run(call: () => Promise<unknown>): Promise<void> {
    if (isRunning.current) return;
    isRunning.current = true;
    setProblem(null);
    setIsBusy(true);
    try {
      await call();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (!error.isSessionOver) setProblem(problemOf(error));
    } finally {
      isRunning.current = false;
      setIsBusy(false);
    }
  }

  return { isBusy, problem, setProblem, run };
}

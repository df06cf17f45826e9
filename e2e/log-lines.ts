import type { ShopProcess } from "./shop-process";

/** What a line of the log may say. */
export interface LogLine {
  level: number;
  msg: string;
  requestId?: string;
  traceId?: string;
  method?: string;
  path?: string;
  status?: number;
  reason?: string;
  err?: { digest?: string; message?: string };
}

/** The shop's own lines so far; Next.js writes others. */
export const logLines = (shop: Pick<ShopProcess, "log">): LogLine[] =>
  shop
    .log()
    .split("\n")
    // What follows the last line break is no whole line yet.
    .slice(0, -1)
    .filter((line) => line.startsWith("{") && line.endsWith("}"))
    .map((line) => JSON.parse(line) as LogLine);

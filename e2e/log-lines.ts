import type { ShopProcess } from "./shop-process";

/** The fields that a line of the log may have. */
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
    // The text after the last line break is an incomplete line.
    .slice(0, -1)
    .filter((line) => line.startsWith("{") && line.endsWith("}"))
    .map((line) => JSON.parse(line) as LogLine);

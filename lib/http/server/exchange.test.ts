import { EventEmitter } from "node:events";
import type { Socket } from "node:net";
import { expect, test } from "@playwright/test";
import { onceEnded } from "@/lib/http/server/exchange";

test("pipelined requests end with their connection, each once", () => {
  const request = { socket: new EventEmitter() as Socket };
  const responses = [0, 1, 2].map(() => new EventEmitter());
  const ended: number[] = [];
  for (const [number, response] of responses.entries())
    onceEnded({
      request,
      response: response as never,
      event: "prefinish",
      callback: () => ended.push(number),
    });
  expect(request.socket.listenerCount("close")).toBe(1);
  responses[0]?.emit("prefinish");
  expect(ended).toEqual([0]);
  request.socket.emit("close");
  expect(ended).toEqual([0, 1, 2]);
  responses[1]?.emit("prefinish");
  expect(ended).toEqual([0, 1, 2]);
});

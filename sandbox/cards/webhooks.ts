import { createHmac } from "node:crypto";
import type { StoredEvent } from "@/sandbox/cards/records";
import type { SandboxContext } from "@/sandbox/cards/server";

export interface RetryDelays {
  /** Delay before the first retry; doubles with each further retry. */
  firstMs: number;
  maxMs: number;
}

const TIMEOUT_MS = 10_000;

/** The delivery of an event. */
interface Task {
  event: StoredEvent;
  failures: number;
  /** Requests per attempt. */
  copies: number;
  /** Delayed until another event of the same payment intent is delivered. */
  isHeld: boolean;
  timer?: NodeJS.Timeout;
}

/**
 * Delivers every event to the shop's endpoint, with retries until it answers 2xx: at least once, in no
 * guaranteed order. After a restart the next process resumes undelivered events.
 */
export class WebhookSender {
  private readonly tasks = new Set<Task>();
  url: string;

  constructor(
    private readonly options: SandboxContext & {
      url: string;
      secret: string;
      enabledEvents: readonly string[] | undefined;
      retry: RetryDelays;
    },
  ) {
    this.url = options.url;
  }

  /** Sends the undelivered events of the previous process. */
  resume(): void {
    for (const event of this.options.store.list("events")) this.push(event);
  }

  push(event: StoredEvent): void {
    if (event.delivery !== "pending") return;
    const { enabledEvents, faults } = this.options;
    const fault = faults.takeForEvent(event.type);
    if (enabledEvents?.includes(event.type) === false || fault?.effect === "never") {
      this.record(event, "suppressed");
      return;
    }
    const task: Task = {
      event,
      failures: 0,
      copies: fault?.effect === "twice" ? 2 : 1,
      isHeld: fault?.effect === "reordered",
    };
    this.schedule(task, fault && "milliseconds" in fault ? fault.milliseconds : 0);
  }

  clear(): void {
    for (const { timer } of this.tasks) clearTimeout(timer);
    this.tasks.clear();
  }

  private schedule(task: Task, milliseconds: number): void {
    this.tasks.add(task);
    clearTimeout(task.timer);
    task.timer = setTimeout(() => {
      this.deliver(task).catch((error: unknown) =>
        this.options.log(`Webhook ${task.event.type} : ${error}`),
      );
    }, milliseconds);
  }

  private async deliver(task: Task): Promise<void> {
    task.isHeld = false;
    const attempts = Array.from({ length: task.copies }, () => this.send(task.event));
    const failures = await Promise.all(attempts);
    // The server may have been stopped or reset.
    if (!this.tasks.has(task)) return;
    if (!failures.includes(null)) {
      this.retry(task, failures[0] ?? "");
      return;
    }
    this.tasks.delete(task);
    this.record(task.event, "delivered");
    for (const other of this.tasks)
      if (other.isHeld && other.event.subject === task.event.subject) this.schedule(other, 0);
  }

  private retry(task: Task, reason: string): void {
    const { log, retry } = this.options;
    const wait = Math.min(retry.firstMs * 2 ** task.failures, retry.maxMs);
    task.failures += 1;
    if (task.failures === 1)
      log(`Webhook ${task.event.type} non reçu (${reason}) : il sera renvoyé.`);
    this.schedule(task, wait);
  }

  private record(event: StoredEvent, delivery: "delivered" | "suppressed"): void {
    const { store } = this.options;
    store.transact(() => store.put("events", { ...event, json: "", delivery }));
  }

  /** @returns why the endpoint did not accept the event; null if it did */
  private async send({ json }: StoredEvent): Promise<string | null> {
    const timestamp = Math.floor(Date.now() / 1000);
    const digest = createHmac("sha256", this.options.secret)
      .update(`${timestamp}.${json}`)
      .digest("hex");
    try {
      const response = await fetch(this.url, {
        method: "POST",
        headers: {
          "Content-Type": "application/json; charset=utf-8",
          "Stripe-Signature": `t=${timestamp},v1=${digest}`,
        },
        body: json,
        redirect: "manual",
        signal: AbortSignal.any([this.options.stopping, AbortSignal.timeout(TIMEOUT_MS)]),
      });
      await response.arrayBuffer();
      return response.ok ? null : `statut ${response.status}`;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }
}

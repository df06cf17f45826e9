import { createHmac } from "node:crypto";
import type { Faults } from "@/sandbox/cards/faults";
import type { StoredDelivery, StoredEvent } from "@/sandbox/cards/records";
import type { Store } from "@/sandbox/cards/store";

export interface RetryDelays {
  /** Before the first retry; doubles with each further one. */
  firstMs: number;
  maxMs: number;
}

const MAX_CONCURRENT = 8;
const TIMEOUT_MS = 10_000;

interface Task {
  event: StoredEvent;
  failures: number;
  /** Requests per attempt. */
  copies: number;
  /** Held back for another event of the same payment intent. */
  isHeld: boolean;
  timer?: NodeJS.Timeout;
}

/**
 * Delivers every event to the shop's endpoint, with retries until it answers 2xx: at least once, in
 * no guaranteed order. Undelivered events are resumed by the next process.
 */
export class WebhookSender {
  private readonly tasks = new Map<string, Task>();
  private queue: Task[] = [];
  private active = 0;
  url: string;

  constructor(
    private readonly options: {
      store: Store;
      faults: Faults;
      url: string;
      secret: string;
      /** All if not given. */
      enabledEvents?: readonly string[] | undefined;
      retry: RetryDelays;
      /** Aborted when the server stops, to end the requests that are being sent. */
      stopping: AbortSignal;
      log: (line: string) => void;
    },
  ) {
    this.url = options.url;
  }

  get pending(): number {
    return this.tasks.size;
  }

  /** Enqueues the undelivered events of the process before. */
  resume(): void {
    const undelivered = this.options.store.read((tx) =>
      tx.list("events").filter((event) => tx.get("deliveries", event.id) === undefined),
    );
    for (const event of undelivered) this.enqueue(this.track(event));
  }

  push(event: StoredEvent): void {
    const { enabledEvents } = this.options;
    if (enabledEvents && !enabledEvents.includes(event.type)) {
      this.recordDelivery({ id: event.id, outcome: "suppressed" });
      return;
    }
    const fault = this.options.faults.takeForEvent(event.type);
    if (fault?.effect === "never") {
      this.recordDelivery({ id: event.id, outcome: "suppressed" });
      return;
    }
    const task = this.track(event);
    if (fault?.effect === "twice") task.copies = 2;
    if (fault?.effect === "late" || fault?.effect === "reordered") {
      task.isHeld = fault.effect === "reordered";
      this.enqueueLater(task, fault.milliseconds);
    } else this.enqueue(task);
  }

  /** Drops all pending deliveries. */
  clear(): void {
    for (const task of this.tasks.values()) clearTimeout(task.timer);
    this.tasks.clear();
    this.queue = [];
  }

  private track(event: StoredEvent): Task {
    const task: Task = { event, failures: 0, copies: 1, isHeld: false };
    this.tasks.set(event.id, task);
    return task;
  }

  private isCurrent(task: Task): boolean {
    return this.tasks.get(task.event.id) === task;
  }

  private enqueue(task: Task): void {
    clearTimeout(task.timer);
    task.isHeld = false;
    this.queue.push(task);
    this.drainQueue();
  }

  private drainQueue(): void {
    while (this.active < MAX_CONCURRENT) {
      const next = this.queue.shift();
      if (!next) return;
      this.active += 1;
      this.deliver(next)
        .catch((error: unknown) => this.options.log(`Webhook ${next.event.type} : ${error}`))
        .finally(() => {
          this.active -= 1;
          this.drainQueue();
        });
    }
  }

  private enqueueLater(task: Task, milliseconds: number): void {
    task.timer = setTimeout(() => this.enqueue(task), milliseconds);
  }

  private async deliver(task: Task): Promise<void> {
    const attempts = Array.from({ length: task.copies }, () => this.send(task.event));
    const answers = await Promise.all(attempts);
    if (!this.isCurrent(task)) return;
    if (answers.some((answer) => answer.isAccepted)) {
      this.tasks.delete(task.event.id);
      this.recordDelivery({ id: task.event.id, outcome: "delivered" });
      this.releaseHeld(task.event);
      return;
    }
    this.retry(task, answers[0]?.reason ?? "");
  }

  private retry(task: Task, reason: string): void {
    const { log, retry } = this.options;
    const wait = Math.min(retry.firstMs * 2 ** task.failures, retry.maxMs);
    task.failures += 1;
    if (task.failures === 1)
      log(`Webhook ${task.event.type} non reçu (${reason}) : il sera renvoyé.`);
    this.enqueueLater(task, wait);
  }

  /** Enqueues the held events of the same payment intent. */
  private releaseHeld(delivered: StoredEvent): void {
    for (const task of this.tasks.values())
      if (task.isHeld && task.event.subject === delivered.subject) this.enqueue(task);
  }

  private recordDelivery(delivery: StoredDelivery): void {
    this.options.store.transact((tx) => tx.put("deliveries", delivery));
  }

  private async send(event: StoredEvent): Promise<{ isAccepted: boolean; reason: string }> {
    const timestamp = Math.floor(Date.now() / 1000);
    const digest = createHmac("sha256", this.options.secret)
      .update(`${timestamp}.${event.json}`)
      .digest("hex");
    try {
      const response = await fetch(this.url, {
        method: "POST",
        headers: {
          "Content-Type": "application/json; charset=utf-8",
          "Stripe-Signature": `t=${timestamp},v1=${digest}`,
          "User-Agent": "Stripe/1.0 (+https://stripe.com/docs/webhooks)",
        },
        body: event.json,
        redirect: "manual",
        signal: AbortSignal.any([this.options.stopping, AbortSignal.timeout(TIMEOUT_MS)]),
      });
      await response.arrayBuffer();
      return { isAccepted: response.ok, reason: `statut ${response.status}` };
    } catch (error) {
      return { isAccepted: false, reason: error instanceof Error ? error.message : String(error) };
    }
  }
}

import type { Faults } from "@/sandbox/cards/faults";
import type { StoredDelivery, StoredEvent } from "@/sandbox/cards/records";
import { signWebhook } from "@/sandbox/cards/signature";
import type { Store } from "@/sandbox/cards/store";

export interface RetryDelays {
  /** Before the first repetition; each further one waits twice as long. */
  firstMs: number;
  maxMs: number;
}

const AT_ONCE = 8;
const TIMEOUT_MS = 10_000;
/** Stripe, too, gives up after three days. */
const GIVE_UP_AFTER_S = 3 * 24 * 60 * 60;
/** Beyond this doubling would leave what numbers hold. */
const MAX_DOUBLINGS = 30;

interface Task {
  event: StoredEvent;
  failures: number;
  /** How many requests each attempt makes. */
  copies: number;
  /** Waits for another event of the same payment. */
  isHeld: boolean;
  timer?: NodeJS.Timeout;
}

/**
 * Delivers every event to the shop until it is taken (2xx): at least once, in no promised order.
 * What is not delivered at the end of the process is delivered by the next one.
 */
export class WebhookSender {
  private readonly tasks = new Map<string, Task>();
  private ready: Task[] = [];
  private active = 0;
  private readonly sending = new Set<AbortController>();
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
      log: (line: string) => void;
    },
  ) {
    this.url = options.url;
  }

  get pending(): number {
    return this.tasks.size;
  }

  /** Takes up what the process before has left. */
  resume(): void {
    const left = this.options.store.read((tx) =>
      tx.list("events").filter((event) => tx.get("deliveries", event.id) === undefined),
    );
    for (const event of left) this.enqueue(this.track(event));
  }

  push(event: StoredEvent): void {
    const { enabledEvents } = this.options;
    if (enabledEvents && !enabledEvents.includes(event.type)) {
      this.settle({ id: event.id, outcome: "suppressed" });
      return;
    }
    const fault = this.options.faults.takeForEvent(event.type);
    if (fault?.effect === "never") {
      this.settle({ id: event.id, outcome: "suppressed" });
      return;
    }
    const task = this.track(event);
    if (fault?.effect === "twice") task.copies = 2;
    if (fault?.effect === "late" || fault?.effect === "reordered") {
      task.isHeld = fault.effect === "reordered";
      this.enqueueLater(task, fault.milliseconds);
    } else this.enqueue(task);
  }

  /** Forgets what was to be delivered. */
  clear(): void {
    for (const task of this.tasks.values()) clearTimeout(task.timer);
    this.tasks.clear();
    this.ready = [];
  }

  stop(): void {
    this.clear();
    for (const controller of this.sending) controller.abort();
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
    this.ready.push(task);
    this.pump();
  }

  private pump(): void {
    while (this.active < AT_ONCE) {
      const next = this.ready.shift();
      if (!next) return;
      this.active += 1;
      this.deliver(next)
        .catch((error: unknown) => this.options.log(`Webhook ${next.event.type} : ${error}`))
        .finally(() => {
          this.active -= 1;
          this.pump();
        });
    }
  }

  private enqueueLater(task: Task, milliseconds: number): void {
    task.timer = setTimeout(() => this.enqueue(task), milliseconds);
  }

  private async deliver(task: Task): Promise<void> {
    const sendings = Array.from({ length: task.copies }, () => this.send(task.event));
    const answers = await Promise.all(sendings);
    if (!this.isCurrent(task)) return;
    if (answers.some((answer) => answer.isTaken)) {
      this.tasks.delete(task.event.id);
      this.settle({ id: task.event.id, outcome: "delivered" });
      this.release(task.event);
      return;
    }
    this.retry(task, answers[0]?.reason ?? "");
  }

  private retry(task: Task, reason: string): void {
    const { log, retry } = this.options;
    const { type, created, id } = task.event;
    if (Date.now() / 1000 - created > GIVE_UP_AFTER_S) {
      this.tasks.delete(id);
      this.settle({ id, outcome: "given-up" });
      log(`Webhook ${type} abandonné après trois jours (${reason}).`);
      return;
    }
    const doublings = Math.min(task.failures, MAX_DOUBLINGS);
    task.failures += 1;
    if (task.failures === 1) log(`Webhook ${type} non reçu (${reason}) : il sera renvoyé.`);
    this.enqueueLater(task, Math.min(retry.firstMs * 2 ** doublings, retry.maxMs));
  }

  /** Lets go what was held back for the sake of a wrong order. */
  private release(delivered: StoredEvent): void {
    for (const task of this.tasks.values())
      if (task.isHeld && task.event.subject === delivered.subject) this.enqueue(task);
  }

  private settle(delivery: StoredDelivery): void {
    this.options.store.transact((tx) => tx.put("deliveries", delivery));
  }

  private async send(event: StoredEvent): Promise<{ isTaken: boolean; reason: string }> {
    const timestamp = Math.floor(Date.now() / 1000);
    const { secret } = this.options;
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(), TIMEOUT_MS);
    this.sending.add(controller);
    try {
      const response = await fetch(this.url, {
        method: "POST",
        headers: {
          "Content-Type": "application/json; charset=utf-8",
          "Stripe-Signature": signWebhook({ payload: event.json, secret, timestamp }),
          "User-Agent": "Stripe/1.0 (+https://stripe.com/docs/webhooks)",
        },
        body: event.json,
        redirect: "manual",
        signal: controller.signal,
      });
      await response.arrayBuffer();
      return { isTaken: response.ok, reason: `statut ${response.status}` };
    } catch (error) {
      return { isTaken: false, reason: error instanceof Error ? error.message : String(error) };
    } finally {
      clearTimeout(timer);
      this.sending.delete(controller);
    }
  }
}

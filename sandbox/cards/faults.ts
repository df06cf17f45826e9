import { z } from "zod";
import { matches } from "@/sandbox/cards/events";

// What the sandbox does wrong on purpose, so that tests can see what the shop makes of it.

const times = z.number().int().min(1).max(1_000_000).default(1);
const milliseconds = z.number().int().min(0).max(600_000);

/** A call by its name ("payment_intents.confirm"), or several ("payment_intents.*", "*"). */
const call = z.string().min(1);

const callFault = z.discriminatedUnion("effect", [
  /** Waits. Before the work, a repetition with the same key meanwhile gets 409. */
  z.strictObject({
    call,
    effect: z.literal("delay"),
    when: z.enum(["before", "after"]),
    milliseconds,
    times,
  }),
  /**
   * Answers with an error of the server. With `isRemembered` the idempotency key keeps it, and
   * repetitions get the same, as with those of Stripe's faults that happen during the work.
   */
  z.strictObject({
    call,
    effect: z.literal("fail"),
    when: z.enum(["before", "after"]),
    status: z.number().int().min(500).max(599).default(500),
    isRemembered: z.boolean().default(false),
    times,
  }),
  /** Breaks the connection off without an answer. */
  z.strictObject({
    call,
    effect: z.literal("drop"),
    when: z.enum(["before", "after"]),
    times,
  }),
  /** Does the work, sends half of the answer, and breaks off. */
  z.strictObject({ call, effect: z.literal("cut"), times }),
  /** Does the work, sends half of the answer, and the other half so much later. */
  z.strictObject({ call, effect: z.literal("trickle"), milliseconds, times }),
]);

/** An event's type, or several ("payment_intent.*", "*"). */
const webhook = z.string().min(1);

const webhookFault = z.discriminatedUnion("effect", [
  /** Both at once. */
  z.strictObject({ webhook, effect: z.literal("twice"), times }),
  z.strictObject({ webhook, effect: z.literal("late"), milliseconds, times }),
  /**
   * Held back until another event of the same payment has been delivered, and at the longest for
   * so many milliseconds.
   */
  z.strictObject({
    webhook,
    effect: z.literal("reordered"),
    milliseconds: milliseconds.default(5_000),
    times,
  }),
  z.strictObject({ webhook, effect: z.literal("never"), times }),
]);

const fault = z.union([callFault, webhookFault]);

/** The body of `POST /_sandbox/faults`: one, or several. */
export const faultsInput = z.union([fault.transform((one) => [one]), z.array(fault)]);

export type CallFault = z.output<typeof callFault>;
export type WebhookFault = z.output<typeof webhookFault>;

/** The faults that are still to come. They are forgotten at the end of the process. */
export class Faults {
  private waiting: (CallFault | WebhookFault)[] = [];

  add(faults: readonly (CallFault | WebhookFault)[]): void {
    // Copies, since they count down.
    this.waiting.push(...faults.map((entry) => ({ ...entry })));
  }

  list(): readonly (CallFault | WebhookFault)[] {
    return this.waiting;
  }

  clear(): void {
    this.waiting = [];
  }

  /** All that concern this call: several can come together, a delay and then a drop. */
  takeForCall(name: string): CallFault[] {
    const found = this.waiting.filter(
      (entry): entry is CallFault => "call" in entry && matches(entry.call, name),
    );
    this.use(found);
    return found;
  }

  /** The first one that concerns this event. */
  takeForEvent(type: string): WebhookFault | undefined {
    const found = this.waiting.find(
      (entry): entry is WebhookFault => "webhook" in entry && matches(entry.webhook, type),
    );
    if (found) this.use([found]);
    return found;
  }

  private use(found: readonly (CallFault | WebhookFault)[]): void {
    for (const entry of found) entry.times -= 1;
    this.waiting = this.waiting.filter((entry) => entry.times > 0);
  }
}

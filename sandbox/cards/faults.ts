import { z } from "zod";
import { matches } from "@/sandbox/cards/events";

// Fault injection: what tests make go wrong.

const times = z.number().int().min(1).max(1_000_000).default(1);
const milliseconds = z.number().int().min(0).max(600_000);

/** A call by its name ("payment_intents.confirm"), or several ("payment_intents.*", "*"). */
const call = z.string().min(1);

const callFault = z.discriminatedUnion("effect", [
  /** Delays. While it delays before execution, a retry with the same idempotency key gets 409. */
  z.strictObject({
    call,
    effect: z.literal("delay"),
    when: z.enum(["before", "after"]),
    milliseconds,
    times,
  }),
  /**
   * Answers with a server error. With `isRemembered` it is saved under the idempotency key, and
   * retries get it again, as with errors of Stripe's during execution.
   */
  z.strictObject({
    call,
    effect: z.literal("fail"),
    when: z.enum(["before", "after"]),
    status: z.number().int().min(500).max(599).default(500),
    isRemembered: z.boolean().default(false),
    times,
  }),
  /** Answers that there is no such object. */
  z.strictObject({ call, effect: z.literal("deny"), times }),
  /** Closes the connection without a response. */
  z.strictObject({
    call,
    effect: z.literal("drop"),
    when: z.enum(["before", "after"]),
    times,
  }),
  /** Executes, sends half of the response, and closes the connection. */
  z.strictObject({ call, effect: z.literal("cut"), times }),
  /** Executes, sends half of the response, and the rest after a delay. */
  z.strictObject({ call, effect: z.literal("trickle"), milliseconds, times }),
]);

/** An event's type, or several ("payment_intent.*", "*"). */
const webhook = z.string().min(1);

const webhookFault = z.discriminatedUnion("effect", [
  /** Two deliveries at once. */
  z.strictObject({ webhook, effect: z.literal("twice"), times }),
  z.strictObject({ webhook, effect: z.literal("late"), milliseconds, times }),
  /** Held back until another event of the same payment intent is delivered, or until the timeout. */
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

/** The pending faults, in memory only. */
export class Faults {
  private pending: (CallFault | WebhookFault)[] = [];

  add(faults: readonly (CallFault | WebhookFault)[]): void {
    // Copies, since `times` is decremented.
    this.pending.push(...faults.map((entry) => ({ ...entry })));
  }

  list(): readonly (CallFault | WebhookFault)[] {
    return this.pending;
  }

  clear(): void {
    this.pending = [];
  }

  /** All faults for this call: several can be combined, such as a delay and a drop. */
  takeForCall(name: string): CallFault[] {
    const found = this.pending.filter(
      (entry): entry is CallFault => "call" in entry && matches(entry.call, name),
    );
    this.decrement(found);
    return found;
  }

  /** The first fault for this event. */
  takeForEvent(type: string): WebhookFault | undefined {
    const found = this.pending.find(
      (entry): entry is WebhookFault => "webhook" in entry && matches(entry.webhook, type),
    );
    if (found) this.decrement([found]);
    return found;
  }

  private decrement(found: readonly (CallFault | WebhookFault)[]): void {
    for (const entry of found) entry.times -= 1;
    this.pending = this.pending.filter((entry) => entry.times > 0);
  }
}

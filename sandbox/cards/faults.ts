import { z } from "zod";

// Fault injection for tests. README.md describes each fault.

const times = z.number().int().min(1).max(1_000_000).default(1);
const milliseconds = z.number().int().min(0).max(600_000);
const when = z.enum(["before", "after"]);
const status = z.number().int().min(500).max(599).default(500);
const isRemembered = z.boolean().default(false);

/** The name of a call ("payment_intents.confirm"), or a pattern ("payment_intents.*", "*"). */
const call = z.string().min(1);

const callFault = z.discriminatedUnion("effect", [
  z.strictObject({ call, effect: z.literal("delay"), when, milliseconds, times }),
  z.strictObject({ call, effect: z.literal("fail"), when, status, isRemembered, times }),
  z.strictObject({ call, effect: z.literal("deny"), times }),
  z.strictObject({ call, effect: z.literal("drop"), when, times }),
  z.strictObject({ call, effect: z.literal("cut"), times }),
  z.strictObject({ call, effect: z.literal("trickle"), milliseconds, times }),
]);

/** An event type, or a pattern ("payment_intent.*", "*"). */
const webhook = z.string().min(1);

const webhookFault = z.discriminatedUnion("effect", [
  z.strictObject({ webhook, effect: z.literal("twice"), times }),
  z.strictObject({ webhook, effect: z.literal("late"), milliseconds, times }),
  /** Delayed until another event of the same payment intent is delivered, or until the timeout. */
  z.strictObject({ webhook, effect: z.literal("reordered"), milliseconds, times }),
  z.strictObject({ webhook, effect: z.literal("never"), times }),
]);

/** The body of `POST /_sandbox/faults`. */
export const faultsInput = z.array(z.union([callFault, webhookFault]));

export type CallFault = z.output<typeof callFault>;
export type WebhookFault = z.output<typeof webhookFault>;

/** A pattern may end in a wildcard: "payment_intent.*". */
function matches(pattern: string, name: string): boolean {
  return pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : pattern === name;
}

/** The pending faults, in memory only. */
export class Faults {
  pending: (CallFault | WebhookFault)[] = [];

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

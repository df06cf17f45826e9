"use client";

import type {
  ConfirmCardPaymentData,
  PaymentIntent,
  PaymentIntentResult,
  Stripe,
  StripeCardElement,
  StripeCardElementChangeEvent,
  StripeError,
} from "@stripe/stripe-js";
import { createRef, type ReactNode } from "react";
import { createRoot, type Root } from "react-dom/client";
import { SandboxCard, type SandboxCardHandle } from "@/components/checkout/sandbox-card";
import { SandboxDialog } from "@/components/checkout/sandbox-dialog";
import { type CardInput, cardProblems, expiryOf } from "@/lib/checkout/card";

// Replaces Stripe.js if there are no real keys: an object with the methods that the checkout uses,
// which talks to the card sandbox and draws the card fields and the bank's challenge itself.

const CONNECTION_LOST =
  "La connexion au service de paiement a été interrompue. Réessayez\u00a0: vous ne serez pas débité deux fois.";
const INCOMPLETE = "Les informations de votre carte sont incomplètes.";

type Handler = (event: never) => void;

/** What the sandbox's elements have in common: events, and a root in an element of the page. */
class SandboxElement {
  private readonly handlers = new Map<string, Set<Handler>>();
  private root: Root | null = null;

  /** @param ready what the event 'ready' tells */
  protected render(parent: HTMLElement, content: ReactNode, ready?: unknown): void {
    const container = document.createElement("div");
    parent.replaceChildren(container);
    this.root = createRoot(container);
    this.root.render(content);
    queueMicrotask(() => this.emit("ready", ready));
  }

  on(name: string, handler: Handler): this {
    const handlers = this.handlers.get(name) ?? new Set();
    this.handlers.set(name, handlers.add(handler));
    return this;
  }

  off(name: string, handler: Handler): this {
    this.handlers.get(name)?.delete(handler);
    return this;
  }

  update(): void {
    // Nothing to do: the fields have the page's styles.
  }

  unmount(): void {
    const { root } = this;
    this.root = null;
    // Deferred: not while React is unmounting the parent of this root.
    setTimeout(() => root?.unmount());
  }

  destroy(): void {
    this.unmount();
    this.handlers.clear();
  }

  protected emit(name: string, event: unknown): void {
    for (const handler of this.handlers.get(name) ?? []) handler(event as never);
  }
}

/** Where Apple Pay and Google Pay are with real keys. No wallet pays into a sandbox, as SandboxNotice says. */
class SandboxExpressElement extends SandboxElement {
  mount(parent: HTMLElement): void {
    this.render(parent, null, { elementType: "expressCheckout" });
  }
}

/** The card element: mounted by react-stripe-js into an element of the page. */
class SandboxCardElement extends SandboxElement {
  private readonly fields = createRef<SandboxCardHandle>();
  card: CardInput = { number: "", expiry: "", cvc: "" };

  mount(parent: HTMLElement): void {
    this.render(parent, <SandboxCard ref={this.fields} onChange={(card) => this.change(card)} />);
  }

  focus(): void {
    this.fields.current?.focus();
  }

  fill(card: CardInput): void {
    this.fields.current?.fill(card);
  }

  get isComplete(): boolean {
    return Object.values(cardProblems(this.card)).every((problem) => problem === null);
  }

  private change(card: CardInput): void {
    this.card = card;
    const event: Partial<StripeCardElementChangeEvent> = {
      elementType: "card",
      complete: this.isComplete,
      empty: Object.values(card).every((text) => text === ""),
      // The fields show their errors themselves.
      error: undefined,
    };
    this.emit("change", event);
  }
}

/** Fills the card's fields in with a test card. */
export function fillCard(element: unknown, number: string): void {
  if (!(element instanceof SandboxCardElement)) return;
  const year = String((new Date().getFullYear() + 5) % 100).padStart(2, "0");
  element.fill({ number, expiry: `12 / ${year}`, cvc: "123" });
}

interface SandboxAnswer extends Partial<PaymentIntent> {
  error?: StripeError;
}

/** Where to answer the bank's 3-D Secure challenge: part of the sandbox's payments. */
interface Challenge {
  three_d_secure_2_source: string;
  authentication_path: string;
}

/** @param url the sandbox's URL, without a slash at its end */
export function createSandboxStripe({
  url,
  publishableKey,
}: {
  url: string;
  publishableKey: string;
}): Stripe {
  async function call(
    path: string,
    { method = "POST", ...params }: Record<string, string>,
  ): Promise<PaymentIntentResult> {
    const form = new URLSearchParams({ key: publishableKey, ...params });
    const isRead = method === "GET";
    let answer: SandboxAnswer;
    try {
      const response = await fetch(`${url}${path}${isRead ? `?${form}` : ""}`, {
        method,
        ...(!isRead && { body: form }),
      });
      answer = await response.json();
    } catch {
      return { error: { type: "api_connection_error", message: CONNECTION_LOST } };
    }
    return answer.error ? { error: answer.error } : { paymentIntent: answer as PaymentIntent };
  }

  const retrievePaymentIntent = (clientSecret: string) =>
    call(`/v1/payment_intents/${idOf(clientSecret)}`, {
      method: "GET",
      client_secret: clientSecret,
    });

  async function confirmCardPayment(
    clientSecret: string,
    data?: ConfirmCardPaymentData,
  ): Promise<PaymentIntentResult> {
    const method = typeof data?.payment_method === "object" ? data.payment_method : undefined;
    const element = method && "card" in method ? method.card : undefined;
    if (!(element instanceof SandboxCardElement) || !element.isComplete)
      return { error: { type: "validation_error", message: INCOMPLETE } };
    const { month, year } = expiryOf(element.card.expiry);
    const result = await call(`/v1/payment_intents/${idOf(clientSecret)}/confirm`, {
      client_secret: clientSecret,
      "payment_method_data[type]": "card",
      "payment_method_data[card][number]": element.card.number.replaceAll(" ", ""),
      "payment_method_data[card][exp_month]": String(month),
      "payment_method_data[card][exp_year]": String(year),
      "payment_method_data[card][cvc]": element.card.cvc,
      ...(method?.billing_details?.name && {
        "payment_method_data[billing_details][name]": method.billing_details.name,
      }),
      use_stripe_sdk: "true",
    });
    return result.paymentIntent?.status === "requires_action"
      ? authenticate({ clientSecret, payment: result.paymentIntent })
      : result;
  }

  /** Shows the buyer the challenge that their bank would. */
  async function authenticate({
    clientSecret,
    payment,
  }: {
    clientSecret: string;
    payment: PaymentIntent;
  }): Promise<PaymentIntentResult> {
    const challenge = payment.next_action?.use_stripe_sdk as unknown as Challenge;
    const outcome = await askBuyer(payment.amount);
    const result = await call(challenge.authentication_path, {
      client_secret: clientSecret,
      source: challenge.three_d_secure_2_source,
      outcome,
    });
    const refusal = result.paymentIntent?.last_payment_error;
    return refusal && result.paymentIntent?.status === "requires_payment_method"
      ? { error: { ...refusal, payment_intent: result.paymentIntent } as StripeError }
      : result;
  }

  const stripe = {
    elements: () => {
      let card: SandboxCardElement | null = null;
      return {
        create: (type: string) => {
          if (type === "expressCheckout") return new SandboxExpressElement();
          card = new SandboxCardElement();
          return card as unknown as StripeCardElement;
        },
        getElement: () => card as unknown as StripeCardElement,
        update: () => undefined,
      };
    },
    confirmCardPayment,
    retrievePaymentIntent,
    confirmPayment: unsupported,
    createToken: unsupported,
    createPaymentMethod: unsupported,
  };
  return stripe as unknown as Stripe;
}

/** react-stripe-js checks that these exist; the checkout does not use them. */
const unsupported = () => Promise.reject(new Error("The card sandbox does not do this."));

/** "pi_123_secret_456" belongs to "pi_123". */
const idOf = (clientSecret: string) => clientSecret.split("_secret_")[0] ?? "";

function askBuyer(amountCents: number): Promise<"authorized" | "refused"> {
  const container = document.createElement("div");
  document.body.append(container);
  const root = createRoot(container);
  return new Promise((resolve) => {
    root.render(
      <SandboxDialog
        amountCents={amountCents}
        onAnswer={(outcome) => {
          root.unmount();
          container.remove();
          resolve(outcome);
        }}
      />,
    );
  });
}

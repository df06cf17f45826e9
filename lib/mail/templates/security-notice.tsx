import { z } from "zod";
import { formatDateTime } from "@/lib/dates";
import { ActionButton, Note, Paragraph, Title } from "@/lib/mail/parts";
import { defineTemplate } from "@/lib/mail/template";

/** The subject for each event, and the sentence between "Bonjour" and the date. */
const EVENTS = {
  "password-changed": {
    subject: "Votre mot de passe a été modifié",
    sentence: "le mot de passe de votre compte a été modifié",
  },
  "email-change-requested": {
    subject: "Une nouvelle adresse e-mail est demandée pour votre compte",
    sentence: "un changement d’adresse e-mail a été demandé pour votre compte",
  },
  "two-factor-activated": {
    subject: "La double authentification est activée",
    sentence: "la double authentification (2FA) de votre compte a été activée",
  },
  "two-factor-deactivated": {
    subject: "La double authentification est désactivée",
    sentence: "la double authentification (2FA) de votre compte a été désactivée",
  },
  "two-factor-reset": {
    subject: "La double authentification est désactivée",
    sentence:
      "la boutique a désactivé la double authentification (2FA) de votre compte et fermé toutes vos sessions",
  },
  "recovery-code-used": {
    subject: "Un code de récupération a été utilisé",
    sentence: "un de vos codes de récupération a été utilisé pour votre compte",
  },
} as const;

export type SecurityEvent = keyof typeof EVENTS;

const events = Object.keys(EVENTS) as [SecurityEvent, ...SecurityEvent[]];

/** To the owner of an account, in case somebody else made the change. */
export const securityNotice = defineTemplate({
  data: z.object({
    event: z.enum(events),
    at: z.iso.datetime({ offset: true }),
    /** The number of unused recovery codes, after one was used. */
    codesLeft: z.int().optional(),
  }),
  subject: ({ event }) => EVENTS[event].subject,
  preheader: ({ event, at }) =>
    event === "two-factor-reset"
      ? `Le ${formatDateTime(at)}. Si vous ne l’avez pas demandé, réagissez vite.`
      : `Le ${formatDateTime(at)}. Si ce n’est pas vous, réagissez vite.`,
  body: ({ event, at, codesLeft }, { siteUrl }) => (
    <>
      <Title>{EVENTS[event].subject}</Title>
      <Paragraph>
        Bonjour, {EVENTS[event].sentence} le {formatDateTime(at)}.
      </Paragraph>
      {codesLeft !== undefined && <Paragraph>{leftOver(codesLeft)}</Paragraph>}
      <Paragraph>
        {event === "two-factor-reset" ? (
          <>
            Si vous l’avez demandé, connectez-vous avec votre mot de passe, puis activez-la de
            nouveau dans «{"\u00a0"}Mon profil{"\u00a0"}»{"\u00a0"}: {siteUrl}/profile
          </>
        ) : (
          "Si c’est bien vous, il n’y a rien à faire."
        )}
      </Paragraph>
      <Paragraph>
        Sinon, choisissez tout de suite un nouveau mot de passe{"\u00a0"}: cela ferme toutes les
        sessions ouvertes{event === "email-change-requested" && " et annule ce changement"}.
      </Paragraph>
      <ActionButton href={`${siteUrl}/forget-password`}>
        Choisir un nouveau mot de passe
      </ActionButton>
      {event === "email-change-requested" && (
        <Paragraph>
          S’il est trop tard et que vous ne pouvez plus vous connecter, écrivez à la boutique
          {"\u00a0"}: {siteUrl}/contact
        </Paragraph>
      )}
      <Note>
        Ce message est envoyé à chaque changement qui touche à la sécurité de votre compte.
      </Note>
    </>
  ),
});

function leftOver(codes: number): string {
  if (codes === 0)
    return "C’était le dernier. Pour en avoir d’autres, désactivez puis réactivez la double authentification.";
  return codes === 1 ? "Il vous en reste un." : `Il vous en reste ${codes}.`;
}

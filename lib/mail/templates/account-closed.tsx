import { z } from "zod";
import { formatDateTime } from "@/lib/dates";
import { ActionButton, Note, Paragraph, Title } from "@/lib/mail/parts";
import { defineTemplate } from "@/lib/mail/template";

const data = z.object({
  at: z.iso.datetime({ offset: true }),
  /** Whether admins closed the account, not its owner. */
  isByShop: z.boolean(),
});

/** To the owner of a deactivated account, in case somebody else deactivated it. */
export const accountDeactivated = defineTemplate({
  data,
  subject: () => titleOf("désactivé"),
  preheader: preheaderOf,
  body: (closing, { siteUrl }) => (
    <ClosingNotice
      {...closing}
      participle="désactivé"
      effect="Personne ne peut plus s’y connecter. Vos données et vos commandes sont conservées."
      remedy="nous pouvons le rouvrir."
      siteUrl={siteUrl}
    />
  ),
});

/** To the former owner of an erased account. */
export const accountErased = defineTemplate({
  data,
  isRecipientErased: true,
  subject: () => titleOf("supprimé"),
  preheader: preheaderOf,
  body: (closing, { siteUrl }) => (
    <ClosingNotice
      {...closing}
      participle="supprimé"
      effect="Votre profil, vos adresses, votre panier et vos avis sont effacés. Seules les factures de vos achats restent archivées, parce que la loi oblige à les garder dix ans."
      remedy="un compte supprimé ne peut pas être rétabli, mais nous vous aiderons."
      siteUrl={siteUrl}
    />
  ),
});

type Participle = "désactivé" | "supprimé";

const titleOf = (participle: Participle) => `Votre compte a été ${participle}`;

function preheaderOf({ at, isByShop }: z.output<typeof data>): string {
  return isByShop
    ? `Le ${formatDateTime(at)}, par la boutique.`
    : `Le ${formatDateTime(at)}. Si ce n’est pas vous, réagissez vite.`;
}

interface ClosingNoticeProps extends z.output<typeof data> {
  participle: Participle;
  effect: string;
  /** What the shop can do if the owner did not want it. */
  remedy: string;
  siteUrl: string;
}

function ClosingNotice(props: ClosingNoticeProps) {
  const { participle, effect, remedy, siteUrl, at, isByShop } = props;
  return (
    <>
      <Title>{titleOf(participle)}</Title>
      <Paragraph>
        Bonjour,{" "}
        {isByShop ? `la boutique a ${participle} votre compte` : `votre compte a été ${participle}`}{" "}
        le {formatDateTime(at)}. {effect}
      </Paragraph>
      <Paragraph>
        {isByShop
          ? "Si vous l’avez demandé, il n’y a rien à faire."
          : "Si c’est bien vous, il n’y a rien à faire."}
      </Paragraph>
      <Paragraph>
        Sinon, écrivez-nous vite{"\u00a0"}: {remedy}
        {!isByShop &&
          ` Quelqu’un connaissait votre mot de passe\u00a0: changez-le aussi sur les autres sites où vous l’utilisez.`}
      </Paragraph>
      <ActionButton href={`${siteUrl}/contact`}>Écrire à la boutique</ActionButton>
      <Note>Vous pouvez aussi répondre simplement à ce message.</Note>
    </>
  );
}

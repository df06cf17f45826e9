import type { CSSProperties, ReactNode } from "react";
import { Body, Container, Head, Hr, Html, Link, Preview, Text } from "react-email";
import { fontFamily, light, styleSheet, text } from "@/lib/mail/theme";
import type { Seller } from "@/lib/seller/resource";
import { formatSiren } from "@/lib/seller/rules";
import { SHOP_NAME } from "@/lib/shop/shop-name";

const small: CSSProperties = {
  ...text,
  color: light.muted,
  fontSize: "13px",
  lineHeight: "20px",
  margin: "0 0 8px",
};

/** The seller's details in the foot of a mail. */
export type MailedSeller = Pick<Seller, "legalName" | "address" | "siren" | "phone">;

interface MailFrameProps {
  /** The mail's subject, used as its title for screen readers. */
  title: string;
  /** The preview text that a mailbox shows beside the subject. */
  preheader: string;
  siteUrl: string;
  seller: MailedSeller;
  /** The mail is to the shop: its foot offers no help. */
  isToShop: boolean;
  /** The mail is about an order: its foot leads to the withdrawal. */
  isAboutOrder: boolean;
  children: ReactNode;
}

/**
 * The frame of every mail: brand, content, foot. It loads nothing from the network: the mark is drawn. The
 * background is the page's, so that a dark mode has one surface.
 */
export function MailFrame(props: MailFrameProps) {
  const { title, preheader, siteUrl, seller, isToShop, isAboutOrder, children } = props;
  return (
    <Html lang="fr">
      <Head>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>{title}</title>
        <style>{styleSheet}</style>
      </Head>
      <Body
        lang="fr"
        className="page"
        style={{ backgroundColor: light.page, fontFamily, margin: 0, padding: "24px 16px" }}
      >
        <Preview useTitleTag={false}>{preheader}</Preview>
        <Container style={{ maxWidth: "600px" }}>
          <Text
            data-skip-in-text="true"
            style={{ ...text, fontSize: "18px", fontWeight: 700, lineHeight: "28px", margin: 0 }}
          >
            <Link
              href={siteUrl}
              className="accent"
              style={{ color: light.accent, textDecoration: "none" }}
            >
              <span aria-hidden="true" className="button" style={mark}>
                m
              </span>
              {SHOP_NAME}
            </Link>
          </Text>
          <Hr
            data-skip-in-text="true"
            className="line"
            style={{ borderColor: light.line, margin: "16px 0 28px" }}
          />
          {children}
          <Hr className="line" style={{ borderColor: light.line, margin: "28px 0 16px" }} />
          <MailFoot
            siteUrl={siteUrl}
            seller={seller}
            isToShop={isToShop}
            isAboutOrder={isAboutOrder}
          />
        </Container>
      </Body>
    </Html>
  );
}

/** The shop's mark, a letter on the accent: many mail programs show no SVG, and a picture would be loaded. */
const mark: CSSProperties = {
  backgroundColor: light.accent,
  borderRadius: "8px",
  color: light.onAccent,
  display: "inline-block",
  fontWeight: 700,
  height: "28px",
  lineHeight: "26px",
  marginRight: "10px",
  textAlign: "center",
  width: "28px",
};

/** The shop's contact, its identity, and in mails about an order the link to withdraw from it. */
function MailFoot({
  siteUrl,
  seller: { legalName, address, siren, phone },
  isToShop,
  isAboutOrder,
}: Pick<MailFrameProps, "siteUrl" | "seller" | "isToShop" | "isAboutOrder">) {
  const link = { color: light.muted, textDecoration: "underline" };
  const identity = [
    legalName,
    address.join(", "),
    siren && `SIREN\u00a0${formatSiren(siren)}`,
  ].filter(Boolean);
  return (
    <>
      {!isToShop && (
        <Text className="ink" style={{ ...small, color: light.ink, fontSize: "14px" }}>
          Une question{"\u202f"}? Répondez à ce message
          {phone && ` ou appelez le ${phone}`}.
        </Text>
      )}
      <Text className="muted" style={small}>
        Ce message vous est envoyé par la boutique{" "}
        <Link href={siteUrl} className="muted" style={link}>
          {SHOP_NAME}
        </Link>
        .
        {identity.length > 0 && (
          <>
            <br />
            {identity.join(" · ")}
          </>
        )}
      </Text>
      {isAboutOrder && (
        <Text className="muted" style={small}>
          <Link
            href={`${siteUrl}/livraison-et-retours#se-retracter`}
            className="muted"
            style={link}
          >
            Se rétracter d’un achat
          </Link>
        </Text>
      )}
    </>
  );
}

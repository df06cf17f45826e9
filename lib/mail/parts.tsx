import type { CSSProperties, ReactNode } from "react";
import { Button, Column, Heading, Hr, Img, Link, Row, Section, Text } from "react-email";
import { light, text } from "@/lib/mail/theme";
import { ORDER_STATUS_LABELS } from "@/lib/shop/order-status";

// What the body of a mail is made of.

/** The mail's only heading. */
export function Title({ children }: { children: ReactNode }) {
  return (
    <Heading
      as="h1"
      className="ink"
      style={{ color: light.ink, fontSize: "24px", lineHeight: "32px", margin: "0 0 16px" }}
    >
      {children}
    </Heading>
  );
}

export function Paragraph({ children }: { children: ReactNode }) {
  return (
    <Text className="ink" style={{ ...text, color: light.ink }}>
      {children}
    </Text>
  );
}

/** Small print: how long a link is valid, what to do with an unexpected mail. */
export function Note({ children, htmlOnly }: { children: ReactNode; htmlOnly?: boolean }) {
  return (
    <Text
      data-skip-in-text={htmlOnly}
      className="muted"
      style={{ ...text, color: light.muted, fontSize: "14px", lineHeight: "22px" }}
    >
      {children}
    </Text>
  );
}

interface ActionButtonProps {
  href: string;
  /**
   * Shows the address, too, for programs that show no buttons: where nothing else leads there, as with the
   * links of verification and reset.
   */
  isOnlyWay?: boolean;
  children: ReactNode;
}

/** The call to action. */
export function ActionButton({ href, isOnlyWay = false, children }: ActionButtonProps) {
  return (
    <>
      <Section style={{ margin: "8px 0 20px" }}>
        <Button
          href={href}
          className="button"
          style={{
            backgroundColor: light.accent,
            borderRadius: "10px",
            color: light.onAccent,
            fontSize: "16px",
            fontWeight: 600,
            padding: "13px 22px",
          }}
        >
          {children}
        </Button>
      </Section>
      {isOnlyWay && (
        <Note htmlOnly>
          Si le bouton ne fonctionne pas, copiez cette adresse dans votre navigateur{"\u00a0:"}
          <br />
          <Link
            href={href}
            className="accent"
            style={{ color: light.accent, textDecoration: "underline", wordBreak: "break-all" }}
          >
            {href}
          </Link>
        </Note>
      )}
    </>
  );
}

const STEPS = [
  ORDER_STATUS_LABELS.paid,
  ORDER_STATUS_LABELS.preparing,
  ORDER_STATUS_LABELS.shipped,
  ORDER_STATUS_LABELS.delivered,
];

/** How far an order is: four bars with their names; in plain text one sentence. */
export function OrderProgress({ reached }: { reached: 1 | 2 | 3 | 4 }) {
  return (
    <>
      <Section data-skip-in-text="true" style={{ margin: "4px 0 24px" }}>
        <Row>
          {STEPS.map((step, index) => (
            <Column
              key={step}
              style={{ paddingRight: index < 3 ? "6px" : 0, verticalAlign: "top", width: "25%" }}
            >
              <div
                className={index < reached ? "done" : "todo"}
                style={{
                  backgroundColor: index < reached ? light.accent : light.line,
                  borderRadius: "2px",
                  fontSize: "1px",
                  height: "4px",
                  lineHeight: "4px",
                }}
              >
                {"\u00a0"}
              </div>
              <Text
                className={index < reached ? "ink" : "muted"}
                style={{
                  color: index < reached ? light.ink : light.muted,
                  fontSize: "12px",
                  fontWeight: index === reached - 1 ? 700 : 400,
                  lineHeight: "18px",
                  margin: "6px 0 0",
                }}
              >
                {step}
              </Text>
            </Column>
          ))}
        </Row>
      </Section>
      {/* Only for the plain text, which has no bars. */}
      <Text style={{ display: "none" }}>
        {`État de la commande\u00a0: ${STEPS[reached - 1]?.toLowerCase()} (étape ${reached} sur 4).`}
      </Text>
    </>
  );
}

/** Names and values, one pair per line: sender of a message, lines of an order. */
export function Details({ rows }: { rows: readonly { name: string; value: ReactNode }[] }) {
  return (
    <Text className="ink" style={{ ...text, color: light.ink }}>
      {rows.map(({ name, value }, index) => (
        <span key={name}>
          {index > 0 && <br />}
          <span className="muted" style={{ color: light.muted }}>
            {`${name}\u00a0:`}
          </span>{" "}
          {value}
        </span>
      ))}
    </Text>
  );
}

/** A product's picture, and its page; null where it has left the shop. */
export interface MailPicture {
  src: string;
  href: string | null;
}

interface AmountRow {
  name: string;
  amount: string;
  picture?: MailPicture | undefined;
  /** The sum of the rows above. */
  isTotal?: boolean;
}

/** Items, with their pictures, and amounts at the right; in plain text on one line each. */
export function Amounts({ rows }: { rows: readonly AmountRow[] }) {
  const hasPictures = rows.some(({ picture }) => picture);
  return (
    <Section>
      {rows.map(({ name, amount, picture, isTotal }, index) => {
        const cell: CSSProperties = {
          ...text,
          color: light.ink,
          fontWeight: isTotal ? 700 : 400,
          padding: picture ? "6px 0" : "0 0 8px",
        };
        return (
          // The rows of a mail never change their order.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          <Row key={index}>
            {hasPictures && (
              <Column data-skip-in-text="true" style={{ padding: "6px 16px 6px 0", width: "64px" }}>
                {picture && <LinkedPicture {...picture} name={name} />}
              </Column>
            )}
            <Column className="ink" style={cell}>
              {name}
              {/* Only for the plain text, which has no columns. */}
              <span style={{ display: "none" }}>{"\u00a0: "}</span>
            </Column>
            <Column
              className="ink"
              style={{ ...cell, textAlign: "right", whiteSpace: "nowrap", width: "110px" }}
            >
              {amount}
            </Column>
          </Row>
        );
      })}
    </Section>
  );
}

function LinkedPicture({ src, href, name }: MailPicture & { name: string }) {
  const style = { borderRadius: "8px", display: "block" };
  const image = <Img src={src} alt={name} width={64} height={64} style={style} />;
  return href ? <Link href={href}>{image}</Link> : image;
}

/** A quoted message, with its line breaks. */
export function Quote({ children }: { children: string }) {
  return (
    <Text
      className="soft"
      style={{
        ...text,
        backgroundColor: light.soft,
        borderLeft: `3px solid ${light.accent}`,
        color: light.ink,
        padding: "14px 18px",
      }}
    >
      {children.split(/\r\n|\r|\n/).map((line, index) => (
        // The lines of a text never change their order.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <span key={index}>
          {index > 0 && <br />}
          {line}
        </span>
      ))}
    </Text>
  );
}

export function Divider() {
  return <Hr className="line" style={{ borderColor: light.line, margin: "8px 0 20px" }} />;
}

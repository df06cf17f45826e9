import type { ReactNode } from "react";
import { ForgotPasswordScreen } from "@/components/auth/forgot-password-screen";
import { GuestLink } from "@/components/auth/guest-link";
import { LoginScreen } from "@/components/auth/login-screen";
import { RegisterScreen } from "@/components/auth/register-screen";
import { ResetPasswordScreen } from "@/components/auth/reset-password-screen";
import { VerificationScreen } from "@/components/auth/verification-screen";

// The five pages for guests. The server renders them the same for everybody; the screens are
// interactive.

interface AuthFrameProps {
  title: string;
  intro?: ReactNode;
  children: ReactNode;
  /** Links to other pages, below the card. */
  footer?: ReactNode;
}

/** The layout of registration, login and the like: a title and one card. */
function AuthFrame({ title, intro, children, footer }: AuthFrameProps) {
  return (
    <div className="page-column flex justify-center py-8 md:py-14">
      <div className="w-full max-w-xl">
        <h1 className="text-title">{title}</h1>
        {intro && <p className="mt-3 text-lg text-muted">{intro}</p>}
        <p className="mt-6 hidden noscript:block">Cette page a besoin de JavaScript.</p>
        <div className="mt-6 rounded-xl bg-surface p-5 noscript:hidden sm:p-8 md:mt-8">
          {children}
        </div>
        {footer && <div className="mt-6 flex flex-col gap-2 text-muted">{footer}</div>}
      </div>
    </div>
  );
}

interface AuthPageProps {
  /** Does the shop show the mails that it sends? */
  hasMailbox: boolean;
}

const registrationLink = (
  <p>
    Pas encore de compte&#8239;?{" "}
    <GuestLink href="/register" prefetch={false} className="link">
      Inscrivez-vous
    </GuestLink>
  </p>
);

export function LoginPage(props: AuthPageProps) {
  return (
    <AuthFrame
      title="Connexion"
      intro="Retrouvez vos commandes, vos factures et vos téléchargements."
      footer={registrationLink}
    >
      <LoginScreen {...props} />
    </AuthFrame>
  );
}

export function RegisterPage(props: AuthPageProps) {
  return (
    <AuthFrame
      title="Inscription"
      intro="Un compte garde vos commandes, vos factures, vos adresses et vos téléchargements."
      footer={
        <>
          <p>
            Déjà un compte&#8239;?{" "}
            <GuestLink href="/login" prefetch={false} className="link">
              Connectez-vous
            </GuestLink>
          </p>
          <p>
            <GuestLink href="/forget-password" prefetch={false} className="link">
              Mot de passe oublié&#8239;?
            </GuestLink>
          </p>
        </>
      }
    >
      <RegisterScreen {...props} />
    </AuthFrame>
  );
}

export function ForgotPasswordPage(props: AuthPageProps) {
  return (
    <AuthFrame
      title="Mot de passe oublié"
      intro="Indiquez l’adresse de votre compte&nbsp;: nous vous envoyons un lien pour choisir un nouveau mot de passe."
      footer={
        <>
          <p>
            <GuestLink href="/login" prefetch={false} className="link">
              Retour à la connexion
            </GuestLink>
          </p>
          {registrationLink}
        </>
      }
    >
      <ForgotPasswordScreen {...props} />
    </AuthFrame>
  );
}

export function ResetPasswordPage() {
  return (
    <AuthFrame title="Nouveau mot de passe">
      <ResetPasswordScreen />
    </AuthFrame>
  );
}

export function VerificationPage() {
  return (
    <AuthFrame title="Vérification de votre compte">
      <VerificationScreen />
    </AuthFrame>
  );
}

"use client";

import { type ReactNode, useCallback } from "react";
import { AccountDeletion } from "@/components/account/account-deletion";
import { EmailConfirmation } from "@/components/account/email-confirmation";
import { ProfileForm } from "@/components/account/profile-form";
import { TwoFactor } from "@/components/account/two-factor";
import { RetryAlert } from "@/components/ui/retry-alert";
import { Skeleton } from "@/components/ui/skeleton";
import { useLoaded } from "@/components/ui/use-loaded";
import { type AccountJson, getAccount } from "@/lib/account/client";

/** Personal data, two-factor authentication, and closing the account. */
export function ProfileScreen() {
  const {
    data: account,
    failure,
    mutate,
  } = useLoaded("/api/account", getAccount, { revalidateOnFocus: false });

  const reload = useCallback(() => void mutate(), [mutate]);

  if (failure)
    return (
      <RetryAlert message="Impossible de charger les informations." onRetry={() => mutate()} />
    );
  const updateCached = (part: Partial<AccountJson>) =>
    // Merges into the latest data: names may have been saved while the code was being verified.
    mutate((current) => current && { ...current, ...part }, { revalidate: false });
  return (
    <>
      <EmailConfirmation onConfirmed={reload} />
      <ProfileSection
        title="Informations personnelles"
        intro="Votre nom figure sur vos commandes et sur vos factures."
      >
        {account ? <ProfileForm account={account} onSaved={updateCached} /> : <LoadingForm />}
      </ProfileSection>
      <ProfileSection
        title="Double authentification"
        intro="À chaque connexion, un code de votre téléphone s’ajoute à votre mot de passe&nbsp;: même volé, il ne suffit plus."
      >
        {account ? (
          <TwoFactor
            isActive={Boolean(account.totpSecret)}
            onOutdated={() => mutate()}
            onChange={(isActive) => updateCached({ totpSecret: isActive ? "********" : null })}
          />
        ) : (
          <Skeleton className="h-11 w-44" />
        )}
      </ProfileSection>
      <ProfileSection
        title="Fermer le compte"
        intro="La désactivation conserve vos données ; la suppression les efface. Dans les deux cas, nous vous demandons d’abord de confirmer."
      >
        <AccountDeletion isReady={account !== undefined} />
      </ProfileSection>
    </>
  );
}

interface ProfileSectionProps {
  title: string;
  intro: string;
  children: ReactNode;
}

/** A section of the profile: the explanation on the left, the controls on the right. */
function ProfileSection({ title, intro, children }: ProfileSectionProps) {
  return (
    <section className="grid gap-x-16 gap-y-5 border-line border-t py-8 first:border-t-0 first:pt-0 md:py-10 lg:grid-cols-[minmax(0,5fr)_minmax(0,8fr)]">
      <div>
        <h2 className="text-heading">{title}</h2>
        <p className="mt-2 max-w-prose text-muted">{intro}</p>
      </div>
      <div className="max-w-xl">{children}</div>
    </section>
  );
}

function LoadingForm() {
  return (
    <div className="flex flex-col gap-5">
      {["nom", "lastname", "email", "password"].map((field) => (
        <div key={field} className="flex flex-col gap-1.5">
          <Skeleton className="h-5.5 w-20" />
          <Skeleton className="h-11" />
        </div>
      ))}
    </div>
  );
}

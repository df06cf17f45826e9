export const PROVIDER_AWAY =
  "Le service de paiement est momentanément indisponible. Réessayez dans un instant.";

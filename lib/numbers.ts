const format = new Intl.NumberFormat("fr-FR");

/** "1 234,5": with a narrow no-break space between thousands. */
export const formatNumber = (value: number): string => format.format(value);

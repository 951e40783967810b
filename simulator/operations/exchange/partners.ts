/** The partners with whom points are exchanged. */
export const PARTNERS = ['airline', 'hotel'] as const;

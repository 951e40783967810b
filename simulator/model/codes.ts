/** A code of a pool, as the model keeps it. */
export interface ModelCode {
  /** The coupon whose pool it is in. */
  pool: string;
  /** What receipts show of it. */
  shown: string;
  uses: number;
  allowed: number;
  /** The only customer who may redeem it; null for anyone. */
  assigned: string | null;
  disabled: boolean;
}

/** The name of a code: its program, and its letters and digits as they are read, whatever was typed for them. */
export function codeName(programId: string, typed: string): string {
  let read = '';
  for (const character of typed.toUpperCase()) {
    if (character === 'I' || character === 'L') read += '1';
    else if (character === 'O') read += '0';
    else if (character === 'U') read += 'V';
    else if (/[A-Z0-9]/.test(character)) read += character;
  }
  return `${programId} ${read}`;
}

/** Whether a customer may redeem the code now. */
export function isOpen(
  code: ModelCode,
  { assignedOnly }: { assignedOnly: boolean },
  externalCustomerId: string,
): boolean {
  if (code.disabled || code.uses >= code.allowed) return false;
  return code.assigned === null ? !assignedOnly : code.assigned === externalCustomerId;
}

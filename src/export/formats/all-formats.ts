import { csv } from './csv.ts';
import type { Format, FormatName } from './format.ts';
import { jsonl } from './jsonl.ts';
import { parquet } from './parquet.ts';

/** The formats of exported files. */
export const FORMATS: Readonly<Record<FormatName, Format>> = { csv, jsonl, parquet };

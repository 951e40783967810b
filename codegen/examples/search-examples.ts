import type { documents } from '../../rest-adapter/generated/documents.ts';
import { type Example, requestId } from './example.ts';

const member = { id: 'mem_01jz8jt5wkejgb6x5n9q2r4s7t', externalCustomerId: 'customer-1001' };

export const searchExamples: Readonly<Record<keyof typeof documents & 'search', Example>> = {
  search: {
    request: null,
    response: {
      requestId,
      data: [
        { kind: 'order', id: 'txn_01jz8k2v9xe6tr8p2w4y6z8abc', label: 'order-5001', member },
        { kind: 'order', id: 'txn_01jz8k2v9xe6tr8p2w4y6z8abd', label: 'order-5002', member },
      ],
    },
  },
};

import { requestId } from './example.ts';

/** The examples of widgets: their sessions, and what is done with them. */
export const widgetExamples = {
  widgetSession: {
    request: { externalCustomerId: 'customer-ada', origin: 'https://shop.example' },
    response: {
      requestId,
      token: 'wst_3q2-7wAAAAAExampleOfASealedTokenThatOnlyTheServiceCanOpen',
      expiresAt: '2026-01-31T12:15:00.000Z',
    },
  },
  redeemInWidget: {
    request: {
      action: 'redeem',
      rewardId: 'free-coffee',
      confirmed: true,
      idempotencyKey: '5f0c8a52-7d53-4b3b-9a36-2f1f4be0c6a1',
    },
    response: {
      requestId,
      redemption: {
        id: 'rsv_01jz8n2m4nf6pr8s0t2v4w6xyz',
        state: 'reserved',
        rewardId: 'free-coffee',
        points: 100,
      },
      balance: { available: 320, pending: 12, reserved: 100 },
    },
  },
};

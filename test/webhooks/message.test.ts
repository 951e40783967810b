import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { messageHeaders, signingKey } from '../../src/webhooks/message.ts';

const secret = fc
  .uint8Array({ minLength: 1, maxLength: 64 })
  .map((bytes) => `whsec_${Buffer.from(bytes).toString('base64')}`);

test('what is signed is signed as the library of Standard Webhooks does, with each secret', () => {
  fc.assert(
    fc.property(
      fc.array(secret, { minLength: 1, maxLength: 2 }),
      fc.string({ unit: 'binary' }),
      (secrets, text) => {
        const at = new Date();
        const body = JSON.stringify({ text });
        const headers = messageHeaders('msg_1', at, body, secrets.map(signingKey), 'rewards-service/test');
        const signed = secrets.map((each) => new Webhook(each).sign('msg_1', at, body));
        expect(headers['webhook-signature']).toBe(signed.join(' '));
        for (const each of secrets) expect(new Webhook(each).verify(body, headers)).toEqual({ text });
      },
    ),
  );
});

import { expect, jest, test } from '@jest/globals';
import { createKeySetFetcher } from '../../../src/server/service/key-set-fetcher.ts';
import { OutgoingAgents } from '../../../src/webhooks/outgoing-agents.ts';

test('hosts share no look-ups: one whose name servers are silent keeps no other key set from being read', async () => {
  const of = jest.spyOn(OutgoingAgents.prototype, 'of').mockRejectedValue(new Error('not in this test'));
  const fetcher = createKeySetFetcher({ webhookAllowPrivate: false, webhookProxy: null });
  const urls = ['https://a.example/keys', 'https://a.example/others', 'https://b.example/keys'];
  for (const url of urls) await expect(fetcher.fetch(url, false)).rejects.toThrow('not in this test');
  expect(of.mock.calls.map(([name]) => name)).toEqual(['a.example', 'a.example', 'b.example']);
  of.mockRestore();
  await fetcher.close();
});

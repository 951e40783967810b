import { expect, test } from '@jest/globals';
import { isOrigin } from '../../src/http/origin.ts';

test.each([
  'https://shop.example',
  'https://shop.example.',
  'https://a_b.shop-2.example:8443',
  'https://xn--bcher-kva.example',
  'http://localhost:3000',
  'http://1.2.3.4',
  'http://[::1]:3000',
])('%s is an origin', (text) => {
  expect(isOrigin(text)).toBe(true);
});

test.each([
  '*',
  'null',
  'shop.example',
  'ftp://shop.example',
  'https://Shop.example',
  'https://shop.example/',
  'https://shop.example:443',
  'https://*',
  'https://*.a.example',
  'https://a*.example',
  'https://a..b',
  'https://.a',
  'https://a,b',
  "https://a'b",
  'http://1.2.3.4:0',
])('%s is none', (text) => {
  expect(isOrigin(text)).toBe(false);
});

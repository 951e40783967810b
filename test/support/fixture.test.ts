import { afterAll, describe, expect, test } from '@jest/globals';
import { atEnd, fixture } from './fixture.ts';

class Door {
  readonly #name: string;
  opens = 0;

  constructor(name: string) {
    this.#name = name;
  }

  get name(): string {
    return this.#name;
  }

  open(): string {
    this.opens += 1;
    return `${this.#name} is open`;
  }
}

const order: string[] = [];
const house = fixture(
  'the house',
  () => ({ street: 'Main', number: 1 }),
  () => order.push('house'),
);
const door = fixture(
  'the door',
  async () => new Door(`door of ${house.street} ${house.number}`),
  () => order.push('door'),
);
atEnd(() => order.push('last check'));
afterAll(() => expect(order).toEqual(['last check', 'door', 'house']));

/** What reading from it throws while the file is loaded. */
const early = ((): string => {
  try {
    return door.name;
  } catch (error) {
    return (error as Error).message;
  }
})();

describe('what a test file uses', () => {
  test('is there for tests, each thing after those above it', () => {
    expect(door.open()).toBe('door of Main 1 is open');
    expect({ name: door.name, opens: door.opens, isDoor: door instanceof Door }).toEqual({
      name: 'door of Main 1',
      opens: 1,
      isDoor: true,
    });
  });

  test('can be changed, spread and compared as the thing itself', () => {
    door.opens = 7;
    expect({ opens: door.opens, ...house }).toEqual({ opens: 7, street: 'Main', number: 1 });
    expect(house).toEqual({ street: 'Main', number: 1 });
    expect('street' in house).toBe(true);
  });

  test('says that it is not there yet while the file is loaded', () => {
    expect(early).toBe('the door is there only after beforeAll has opened it');
  });
});

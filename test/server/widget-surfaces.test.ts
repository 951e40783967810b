import { describe, expect, test } from '@jest/globals';
import { isRefusal, type Refusal, refuse } from '../../src/refusal.ts';
import { WidgetSurfaces } from '../../src/server/widgets/widgets.ts';
import type { Surface } from '../../src/widget/surface.ts';
import type { WidgetDeployment } from '../../src/widget/widget-document.ts';
import { widgetDocument } from '../support/surfaces/widgets.ts';

const deployment: WidgetDeployment = {
  ...{
    environmentId: 'env',
    deploymentId: 'wdg_1',
    version: 1,
    programId: 'club',
    document: widgetDocument(),
  },
};

function open() {
  let now = 0;
  const asked: (string | null)[] = [];
  let answer = (): Surface | Refusal => ({ surface: { id: String(asked.length) } }) as Surface;
  const surfaces = new WidgetSurfaces(
    {
      surface: async (_environmentId, _deployment, memberId) => {
        asked.push(memberId);
        return answer();
      },
    },
    () => now,
  );
  return {
    surfaces,
    asked,
    answerWith: (surface: Surface | Refusal) => {
      answer = () => surface;
    },
    wait(milliseconds: number): void {
      now += milliseconds;
      surfaces.onAnnouncement(now);
    },
    async read(one = deployment): Promise<string> {
      const read = await surfaces.read(one, null);
      return isRefusal(read) ? read.code : read.surface.surface.id;
    },
  };
}

describe('the surface of nobody in particular', () => {
  test('is read once in five seconds, however often it is asked for', async () => {
    const { asked, read, wait } = open();
    await Promise.all(Array.from({ length: 1_000 }, () => read()));
    wait(4_999);
    expect({ read: await read(), asked: asked.length }).toEqual({ read: '1', asked: 1 });
    wait(1);
    expect({ read: await read(), asked: asked.length }).toEqual({ read: '2', asked: 2 });
  });

  test('is of one version of one deployment', async () => {
    const { asked, read } = open();
    await read();
    await read({ ...deployment, version: 2 });
    await read({ ...deployment, deploymentId: 'wdg_2' });
    expect(asked).toEqual([null, null, null]);
    expect(await read()).toBe('1');
  });

  test('is read anew after a change of its environment, and of no other', async () => {
    const { surfaces, asked, read } = open();
    await read();
    surfaces.forget('another');
    await read();
    expect(asked).toHaveLength(1);
    surfaces.forget('env');
    await read();
    expect(asked).toHaveLength(2);
    surfaces.forget();
    await read();
    expect(asked).toHaveLength(3);
  });

  test('is not kept where it is refused', async () => {
    const { asked, read, answerWith } = open();
    answerWith(refuse('overloaded', 'Later.'));
    expect({ first: await read(), second: await read(), asked: asked.length }).toEqual({
      first: 'overloaded',
      second: 'overloaded',
      asked: 2,
    });
  });
});

test('the surface of a member is never kept, and has an entity tag of its content', async () => {
  const { surfaces, asked } = open();
  const session = { memberId: 'ada' } as never;
  const tags = [];
  for (let reads = 0; reads < 3; reads += 1) {
    const read = await surfaces.read(deployment, session);
    tags.push(isRefusal(read) ? null : read.etag);
  }
  expect(asked).toEqual(['ada', 'ada', 'ada']);
  expect(new Set(tags).size).toBe(3);
});

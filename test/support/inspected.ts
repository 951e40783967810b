/** The memory of a process, in bytes. */
export interface Memory {
  /** The process as the operating system sees it. */
  rss: number;
  /** JavaScript objects that are in use. */
  heapUsed: number;
  /** What V8 holds for them and for those to come. */
  heapTotal: number;
  /** Buffers and other memory outside the heap that objects own. */
  external: number;
}

/** A process that runs with `--inspect`. */
export class Inspected {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, (result: unknown) => void>();
  #calls = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => {
      const { id, result } = JSON.parse(String(data)) as { id: number; result: unknown };
      this.#waiting.get(id)?.(result);
      this.#waiting.delete(id);
    });
  }

  /** @param stderr what the process has written: Node says there where its inspector listens */
  static async attach(stderr: string): Promise<Inspected> {
    const [, url] = /Debugger listening on (ws:\S+)/.exec(stderr) ?? [];
    if (!url) throw new Error(`the process has no inspector: ${stderr}`);
    const socket = new WebSocket(url);
    await new Promise((resolve, reject) => {
      socket.addEventListener('open', resolve);
      socket.addEventListener('error', reject);
    });
    return new Inspected(socket);
  }

  /** The memory of the process after its garbage was collected. */
  async memory(): Promise<Memory> {
    await this.#call('HeapProfiler.collectGarbage');
    await this.#call('HeapProfiler.collectGarbage');
    const expression = 'process.memoryUsage()';
    const { result } = (await this.#call('Runtime.evaluate', { expression, returnByValue: true })) as {
      result: { value: Memory };
    };
    const { rss, heapUsed, heapTotal, external } = result.value;
    return { rss, heapUsed, heapTotal, external };
  }

  close(): void {
    this.#socket.close();
  }

  #call(method: string, params: object = {}): Promise<unknown> {
    this.#calls += 1;
    const id = this.#calls;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.#socket.send(JSON.stringify({ id, method, params }));
    });
  }
}

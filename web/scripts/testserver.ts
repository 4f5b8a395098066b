/** A real server of its own for a test, and browsers without a screen. */

import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { WebSocket } from 'ws';
import { Api } from '../src/net/api';
import type { Socket } from '../src/net/connection';

/** `make test` says where the environment is; otherwise it is where `make setup` puts it, or on the path. */
function program(): string {
  const folders = [process.env.PYTHON_BIN, resolve(import.meta.dirname, '../../.venv/bin')];
  const found = folders.map((folder) => folder && join(folder, 'tilerummy')).find((path) => path && existsSync(path));
  return found || 'tilerummy';
}

export interface Server {
  readonly url: string;
  stop(): Promise<void>;
}

export async function startServer(): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), 'tilerummy-'));
  const child = spawn(program(), ['serve', '--port', '0', '--db', `sqlite:///${folder}/games.db`], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, TILERUMMY_BOT_PACE: '0', TILERUMMY_WORKERS: '1' },
  });
  const url = await addressOf(child);
  const ended = new Promise<void>((done) => child.once('exit', () => done()));
  return {
    url,
    async stop() {
      child.kill();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((found, failed) => {
    let said = '';
    child.once('error', failed);
    child.once('exit', (code) => failed(new Error(`the server ended with ${code}; is it set up? make setup`)));
    child.stdout?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const address = /serves tables at (http:\/\/\S+)/.exec(said)?.[1];
      if (address) found(address);
    });
  });
}

/** A browser with its cookies, and a network that can be cut. */
export class Browser {
  readonly api: Api;
  readonly sockets: WebSocket[] = [];
  online = true;
  #cookie = '';

  constructor(readonly url: string) {
    this.api = new Api({ base: url, fetch: (input, init) => this.#fetch(String(input), init ?? {}) });
  }

  /** Pass it to a RoomSession. */
  readonly dial = (url: string): Socket => {
    const address = this.online ? url : 'ws://127.0.0.1:1';
    const socket = new WebSocket(address, { headers: { Cookie: this.#cookie, Origin: this.url } });
    socket.on('error', () => {});
    this.sockets.push(socket);
    return socket as unknown as Socket;
  };

  /** Lose the connection, as in a tunnel. */
  cut(): void {
    this.online = false;
    for (const socket of this.sockets) socket.terminate();
  }

  /** Everything that is known to the server is asked for with this browser's cookie. */
  async #fetch(url: string, init: RequestInit): Promise<Response> {
    if (!this.online) throw new TypeError('offline');
    const headers = { ...(init.headers as Record<string, string>), Cookie: this.#cookie, Origin: this.url };
    const response = await fetch(url, { ...init, headers });
    const [cookie] = response.headers.getSetCookie();
    if (cookie) this.#cookie = cookie.split(';')[0] ?? '';
    return response;
  }
}

/** Who plays on this device, as every screen shows it. */

import { api } from '../net/api';
import type { Local, Me } from '../protocol';

class Myself {
  /** Null until the server has said it. */
  now = $state.raw<Me | null>(null);
  #asked: Promise<Me> | null = null;

  get name(): string {
    return this.now?.name ?? '';
  }

  get locals(): readonly Local[] {
    return this.now?.locals ?? [];
  }

  /** Ask the server once; a failure is forgotten, so that the next one who asks tries again. */
  load(): Promise<Me> {
    this.#asked ??= api.me().then(
      (me) => (this.now = me),
      (error: unknown) => {
        this.#asked = null;
        throw error;
      },
    );
    return this.#asked;
  }

  async rename(name: string): Promise<void> {
    this.take(await api.rename(name));
  }

  async addLocal(name: string): Promise<Local> {
    await this.load();
    const local = await api.addLocal(name);
    if (this.now) this.take({ ...this.now, locals: [...this.now.locals, local] });
    return local;
  }

  async dropLocal(id: string): Promise<void> {
    await api.dropLocal(id);
    if (this.now) this.take({ ...this.now, locals: this.now.locals.filter((local) => local.id !== id) });
  }

  async useLink(token: string): Promise<Me> {
    const me = await api.useLink(token);
    this.take(me);
    return me;
  }

  /** Delete everything; whoever plays next is somebody new. */
  async forget(): Promise<void> {
    await api.forgetMe();
    this.now = null;
    this.#asked = null;
  }

  take(me: Me): void {
    this.now = me;
    this.#asked = Promise.resolve(me);
  }
}

export const myself = new Myself();

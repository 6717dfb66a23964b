import type { Duplex } from 'node:stream';

/** Maximum number at a time; clients with a token need fewer, because each of theirs is decided at once. */
const most = 64;

/** Connections that haven't shown a token yet. With too many of them, the oldest of the busiest address is ended. */
export class UndecidedSockets {
  /** The sockets with the addresses that they come from, oldest first. */
  readonly #peers = new Map<Duplex, string>();

  add(socket: Duplex, peer: string): void {
    this.#peers.set(socket, peer);
    socket.once('close', () => this.#peers.delete(socket));
    if (this.#peers.size > most) {
      this.#endOne();
    }
  }

  /** The socket has shown a token: it gives way to none any more. */
  decided(socket: Duplex): void {
    this.#peers.delete(socket);
  }

  #endOne(): void {
    const counts = new Map<string, number>();
    for (const peer of this.#peers.values()) {
      counts.set(peer, (counts.get(peer) ?? 0) + 1);
    }
    const busiest = Math.max(...counts.values());
    for (const [socket, peer] of this.#peers) {
      if (counts.get(peer) === busiest) {
        this.#peers.delete(socket);
        socket.destroy();
        return;
      }
    }
  }
}

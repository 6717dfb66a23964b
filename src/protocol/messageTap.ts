/** Which way a message goes. */
export type MessageDirection = 'fromAgent' | 'toAgent';

/** Receives a connection's messages as they are, secrets included; must neither keep nor change them. */
export type MessageTap = (direction: MessageDirection, message: object) => void;

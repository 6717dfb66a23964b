import { isObject } from '../../../util/json';
import { AcpError } from '../../errors';
import { asSessionError } from '../../rpc/rpcErrors';

/** Turns every error that reports a missing session into `gone` (ER-5). */
export function aboutSession(answer: Promise<unknown>): Promise<unknown> {
  return answer.catch((error: unknown) => {
    throw error instanceof AcpError ? asSessionError(error) : error;
  });
}

/**
 * Like `aboutSession`, but an unknown message (-32602) isn't a missing session, although agents name that in the text.
 */
export function aboutFork(answer: Promise<unknown>, at: string | undefined): Promise<unknown> {
  return answer.catch((error: unknown) => {
    const isAboutMessage =
      at !== undefined &&
      error instanceof AcpError &&
      error.code === 'invalidParams' &&
      (getMessage(error.facts.data) === at || error.message.includes(at));
    throw isAboutMessage || !(error instanceof AcpError) ? error : asSessionError(error);
  });
}

function getMessage(data: unknown): unknown {
  return isObject(data) ? data['messageId'] : undefined;
}

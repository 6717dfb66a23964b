import type { ComponentChildren, VNode } from 'preact';
import { useTranscript } from '../state/context';
import { Link } from './link';
import { mayBeFile, splitMentions } from './mentions';

interface InlineCodeProps {
  readonly text: string;
  /** Whether the code is inside a link. */
  readonly isPlain: boolean;
}

/** Inline code, linked if it names a file of the session. */
export function InlineCode({ text, isPlain }: InlineCodeProps): VNode {
  const code = <code class="inline-code">{text}</code>;
  return !isPlain && mayBeFile(text) ? <Mention text={text}>{code}</Mention> : code;
}

/** Plain text, with links where it names files of the session. */
export function drawText(text: string): ComponentChildren[] {
  // A cheap test first: this runs often, and most texts name no file.
  return text.includes('/')
    ? splitMentions(text).map((piece, at) =>
        at % 2 === 0 ? piece : <Mention text={piece}>{piece}</Mention>,
      )
    : [text];
}

interface MentionProps {
  readonly text: string;
  readonly children: ComponentChildren;
}

function Mention({ text, children }: MentionProps): VNode {
  const { state } = useTranscript();
  return state.mentions.isFile(text).value ? <Link href={text}>{children}</Link> : <>{children}</>;
}

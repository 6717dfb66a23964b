import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import type { DrawnBlock } from '../../shared/transcript/drawn';
import { imageTypes } from '../../shared/transcript/parseDraft';
import { assertNever } from '../../util/assertNever';
import { CodeBlock } from '../code/codeBlock';
import { MoreText, type TextPlace } from '../code/moreText';
import { Markdown } from '../markdown/markdown';
import { Fold } from '../parts/fold';
import { Icon } from '../parts/icon';
import { imageSize } from '../parts/imageSize';
import { Many } from '../parts/many';
import { useTranscript } from '../state/context';
import { formatNumber } from '../words/format';

interface BlocksProps {
  readonly blocks: readonly DrawnBlock[];
  readonly part: TextPlace['part'];
}

/** The content blocks of a message, in order (CO-1 to CO-8). */
export function Blocks({ blocks, part }: BlocksProps): VNode {
  return (
    <Many
      items={blocks}
      draw={(block, item) => <ContentBlock key={item} block={block} part={part} item={item} />}
    />
  );
}

interface ContentBlockProps extends TextPlace {
  readonly block: DrawnBlock;
}

export function ContentBlock({ block, part, item }: ContentBlockProps): VNode {
  switch (block.type) {
    case 'text':
      return (
        <div class="text">
          <Markdown text={block.text} part={`${part}.${item}`} />
          <MoreText omitted={block.omitted} part={part} item={item} />
        </div>
      );
    case 'printed':
      return (
        <div class="printed">
          <CodeBlock text={block.text} language="" part={`${part}.${item}`} />
          <MoreText omitted={block.omitted} part={part} item={item} />
        </div>
      );
    case 'image':
      return <Image mimeType={block.mimeType} data={block.data} />;
    case 'label':
      return <Label icon={labelIcons[block.icon]} label={block.label} detail={block.detail} />;
    case 'unknown':
      return <RawFold label={block.label} raw={block.raw} part={`${part}.${item}`} />;
    case 'link':
      if (block.uri === '') {
        return <Label icon="file" label={block.label} detail={block.detail} />;
      }
      return <LinkBlock uri={block.uri} label={block.label} detail={block.detail} />;
    case 'resource':
      return (
        <Fold
          part={`${part}.${item}`}
          class="resource"
          summary={
            <>
              <Icon name="file" />
              <span class="resource-label" title={block.uri}>
                {block.label}
              </span>
            </>
          }
        >
          {() => (
            <>
              <CodeBlock
                text={block.text}
                language={getExtension(block.label)}
                part={`${part}.${item}`}
              />
              <MoreText omitted={block.omitted} part={part} item={item} />
            </>
          )}
        </Fold>
      );
    default:
      return assertNever(block);
  }
}

const labelIcons = {
  audio: 'unmute',
  image: 'file-media',
  binary: 'file-binary',
  unknown: 'question',
} as const;

/** The size of a large photo. Each decoded pixel takes four bytes of memory, however small the file is. */
const maxPixels = 50_000_000;
const base64 = /^[A-Za-z0-9+/=\s]*$/;

function Image({ mimeType, data }: { readonly mimeType: string; readonly data: string }): VNode {
  const isPicture = imageTypes.includes(mimeType) && base64.test(data);
  const size = useMemo(() => (isPicture ? imageSize(data) : undefined), [isPicture, data]);
  if (!size) {
    return (
      <Label icon="file-media" label={l10n.t('Image that can’t be shown')} detail={mimeType} />
    );
  }
  if (size.width * size.height > maxPixels) {
    return (
      <Label
        icon="file-media"
        label={l10n.t('Image too large to show')}
        detail={`${mimeType}, ${formatNumber(size.width)} × ${formatNumber(size.height)}`}
      />
    );
  }
  return (
    <img
      class="picture"
      src={`data:${mimeType};base64,${data}`}
      alt={`(${mimeType})`}
      decoding="async"
    />
  );
}

interface RawFoldProps {
  readonly label: string;
  /** JSON. */
  readonly raw: string;
  readonly part: string;
}

/** A quiet line about something that isn't known here, with its form below it. */
export function RawFold({ label, raw, part }: RawFoldProps): VNode {
  return (
    <Fold
      part={part}
      class="unknown"
      summary={
        <>
          <Icon name="question" />
          <span>{label}</span>
        </>
      }
    >
      {() => <CodeBlock text={raw} language="json" part={part} />}
    </Fold>
  );
}

interface LabelProps {
  readonly icon: string;
  readonly label: string;
  readonly detail?: string | undefined;
}

function Label({ icon, label, detail }: LabelProps): VNode {
  return (
    <div class="chip label">
      <Icon name={icon} />
      <span>{label}</span>
      {detail && <span class="chip-detail">{detail}</span>}
    </div>
  );
}

interface LinkBlockProps {
  readonly uri: string;
  readonly label: string;
  readonly detail?: string | undefined;
}

function LinkBlock({ uri, label, detail }: LinkBlockProps): VNode {
  const { post } = useTranscript();
  return (
    <button
      type="button"
      class="chip"
      title={uri}
      onClick={() => post({ type: 'openLink', href: uri })}
    >
      <Icon name={/^https?:/i.test(uri) ? 'globe' : 'file'} />
      <span>{label}</span>
      {detail && <span class="chip-detail">{detail}</span>}
    </button>
  );
}

function getExtension(path: string): string {
  return /\.(\w+)$/.exec(path)?.[1] ?? '';
}

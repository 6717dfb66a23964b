import type { SampleSession } from '../shortSession';
import { chart } from './chart';

const cardBefore = `<img src={product.image} width={280} height={280} />`;

const cardAfter = `<img
  src={imageUrl(product, 280)}
  srcSet={\`\${imageUrl(product, 280)} 1x, \${imageUrl(product, 560)} 2x\`}
  alt={product.name}
  width={280}
  height={280}
  loading="lazy"
/>`;

/** Images, links and moved files. */
export const images: SampleSession = {
  title: 'Product pictures look blurry on good screens 🖼️',
  write: (transcript) => {
    transcript
      .user('On my laptop all the product pictures are blurry. This is what the statistics say:', {
        type: 'image',
        mimeType: 'image/png',
        data: chart,
      })
      .say('Your chart shows Saturday far ahead, so let us have this done by Friday.')
      .read('src/ui/ProductCard.tsx', cardBefore, 14)
      .think('One size for every screen. A screen with two pixels per point shows half the detail.')
      .tool({
        title: 'Move public/img to public/img/280',
        kind: 'move',
        name: 'move_file',
        files: [{ path: 'public/img/280' }],
      })
      .run(
        'node scripts/resize.mjs --width 560',
        '\u001b[32m✓\u001b[0m 412 pictures resized\r\n\u001b[33m!\u001b[0m 3 are smaller than 560 pixels: left as they are\r\n',
      )
      .edit('src/ui/ProductCard.tsx', cardBefore, cardAfter, 14)
      .say(
        'Sharp screens load the large pictures now, all others the small ones. Before and after:',
      )
      .show({ type: 'image', mimeType: 'image/png', data: chart })
      .show({
        type: 'resource_link',
        uri: 'https://example.com/docs/responsive-images',
        name: 'responsive-images',
        title: 'Responsive images, explained',
        mimeType: 'text/html',
      })
      .show({
        type: 'resource',
        resource: {
          uri: 'demo:///too-small.csv',
          mimeType: 'text/csv',
          text: 'product,width\nmoss-ball,320\nseed-bag-7,400\nwatering-can,512\n',
        },
      })
      .say(
        'Three pictures are too small to begin with; the list above says which. I also added `alt`.',
      )
      .usage(31_800);
  },
};

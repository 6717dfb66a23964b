import assert from 'node:assert/strict';
import { saysImageRefused } from '../../../../src/model/failures/refusedImage';

describe('T-90: an image that a provider refuses', () => {
  it('is known by the words of the providers', () => {
    for (const text of [
      'API Error: 400 {"type":"error","error":{"type":"invalid_request_error","message":"Could not process image"}}',
      'Could not process \n    image',
      'messages.0.content.1.image.source.base64: image exceeds 5 MB maximum: 5327908 bytes > 5242880 bytes',
      'messages.7.content.3.image.source.base64.data: At least one of the image dimensions exceed max allowed size: 8000 pixels',
      'At least one of the image dimensions exceed max allowed size for many-image requests: 2000 pixels',
      'messages.34.content.2.image.source.base64.data: Image format image/png not supported',
      'Image was too large. Double press esc to go back and try again with a smaller image.',
      'Image base64 size (8.4 MB) exceeds API limit (5.0 MB). Please resize the image before sending.',
      "The image data you provided does not represent a valid image. Please check your input and try again with one of the supported image formats: ['image/jpeg', 'image/png', 'image/gif', 'image/webp'].",
      'You uploaded an unsupported image. Please make sure your image is below 20 MB in size and is of one the following formats',
      "Invalid 'input[37].content[0].image_url'. Expected a base64-encoded data URL with an image MIME type",
      'Unable to process input image. Please retry or report in https://developers.generativeai.google/guide/troubleshooting',
      'Provided image is not valid.',
    ]) {
      assert.ok(saysImageRefused(text), text);
    }
  });

  it('is none in other errors, even about images', () => {
    for (const text of [
      'Internal error',
      'Could not process the request: image not found',
      'Unable to find image “node:22” locally',
      'docker: image was not found',
      'The image generation tool failed',
      'prompt is too long: 210000 tokens > 200000 maximum',
      'Request contains an invalid argument.',
      'Request exceeds the maximum size',
      'This model does not support image input',
    ]) {
      assert.ok(!saysImageRefused(text), text);
    }
  });
});

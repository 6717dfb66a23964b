export { literal, literalLine } from '../shared/literal';

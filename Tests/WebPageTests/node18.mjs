// Removes what later versions of Node have and Node 18 does not, so that a test that needs it fails with every version:
// Debian 12 has Node 18. `Scripts/check` loads this file before each test (`node --import`). New syntax cannot be removed.

// Loaded before anything is removed, because Node itself uses it there.
import 'node:http';

/// Built-in objects and functions of ECMAScript and of the web that Node 19 to 24 added, by their paths. `toWellFormed` is not among
/// them, because the `Response` of later versions calls it.
const LATER = [
  'Array.fromAsync', 'Array.prototype.toReversed', 'Array.prototype.toSorted', 'Array.prototype.toSpliced', 'Array.prototype.with',
  'ArrayBuffer.prototype.detached', 'ArrayBuffer.prototype.maxByteLength', 'ArrayBuffer.prototype.resizable',
  'ArrayBuffer.prototype.resize', 'ArrayBuffer.prototype.transfer', 'ArrayBuffer.prototype.transferToFixedLength',
  'AsyncDisposableStack', 'Blob.prototype.bytes', 'Blob.prototype.textStream', 'CloseEvent', 'Crypto', 'CryptoKey', 'CustomEvent',
  'DataView.prototype.getFloat16', 'DataView.prototype.setFloat16', 'DisposableStack', 'Error.isError', 'File', 'Float16Array',
  'Headers.prototype.getSetCookie', 'Intl.DurationFormat', 'Iterator', 'JSON.isRawJSON', 'JSON.rawJSON', 'Map.groupBy',
  'Math.f16round', 'Navigator', 'Object.groupBy', 'Promise.try', 'Promise.withResolvers', 'ReadableStream.from', 'RegExp.escape',
  'Request.prototype.bytes', 'Response.prototype.bytes', 'Set.prototype.difference', 'Set.prototype.intersection',
  'Set.prototype.isDisjointFrom', 'Set.prototype.isSubsetOf', 'Set.prototype.isSupersetOf', 'Set.prototype.symmetricDifference',
  'Set.prototype.union', 'SubtleCrypto', 'SuppressedError', 'URL.parse', 'URLPattern', 'WebSocket', 'crypto', 'navigator',
];
const TYPED_ARRAY = ['toReversed', 'toSorted', 'with'];
const ITERATOR = ['drop', 'every', 'filter', 'find', 'flatMap', 'forEach', 'map', 'reduce', 'some', 'take', 'toArray'];

if (Number(process.versions.node.split('.')[0]) > 18) {
  for (const path of LATER) {
    const names = path.split('.'), last = names.pop();
    const owner = names.reduce((object, name) => object?.[name], globalThis);
    if (owner) delete owner[last];
  }
  const typedArray = Object.getPrototypeOf(Uint8Array.prototype);
  for (const name of TYPED_ARRAY) delete typedArray[name];
  const iterator = Object.getPrototypeOf(Object.getPrototypeOf([].values()));
  for (const name of ITERATOR) delete iterator[name];
  // Node 18 does not let the methods of the clock be assigned, but they can be defined anew.
  for (const name of Object.getOwnPropertyNames(Performance.prototype)) {
    const property = Object.getOwnPropertyDescriptor(Performance.prototype, name);
    if (property.writable) Object.defineProperty(Performance.prototype, name, { ...property, writable: false });
  }
}

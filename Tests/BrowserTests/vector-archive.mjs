// A PMTiles file with one vector tile, written byte by byte.

const varint = (value) => (value < 128 ? [value] : [(value & 127) | 128, ...varint(Math.floor(value / 128))]);
/// A field of a protocol buffer: a number, or a list of bytes.
const field = (number, value) =>
  typeof value === 'number' ? [...varint(number << 3), ...varint(value)] : [...varint(number << 3 | 2), ...varint(value.length), ...value];
const text = (value) => [...Buffer.from(value)];
const zigzag = (value) => (value < 0 ? -2 * value - 1 : 2 * value);

/// A geometry of Mapbox Vector Tiles: a path through places, closed for areas.
function path(places, isClosed) {
  let last = [0, 0];
  const steps = places.map((place) => {
    const step = [zigzag(place[0] - last[0]), zigzag(place[1] - last[1])];
    last = place;
    return step;
  });
  return [9, ...steps[0], (places.length - 1) << 3 | 2, ...steps.slice(1).flat(), ...(isClosed ? [15] : [])].flatMap(varint);
}

/// A layer with one shape; types are 2 for a line and 3 for an area.
const layer = (name, type, places) => field(3, [
  ...field(15, 2), ...field(1, text(name)), ...field(5, 4096),
  ...field(2, [...field(3, type), ...field(4, path(places, type === 3))]),
]);

/// An archive whose tile 0/0/0 has a square of the layer `water` and a line of the layer `roads`.
export function vectorArchive() {
  const tile = [
    ...layer('water', 3, [[1024, 1024], [3072, 1024], [3072, 3072], [1024, 3072]]),
    ...layer('roads', 2, [[512, 512], [3584, 3584]]),
  ];
  const fields = {};
  const metadata = text(JSON.stringify({ name: 'Shapes', vector_layers: [{ id: 'water', fields }, { id: 'roads', fields }] }));
  // One entry: tile 0, a run of one tile, its length, and its offset plus one.
  const directory = [1, 0, 1, ...varint(tile.length), 1];
  const header = Buffer.alloc(127);
  header.write('PMTiles');
  header[7] = 3;
  let offset = 127;
  [[8, directory.length], [24, metadata.length], [40, 0], [56, tile.length]].forEach(([at, length]) => {
    header.writeBigUInt64LE(BigInt(offset), at);
    header.writeBigUInt64LE(BigInt(length), at + 8);
    offset += length;
  });
  for (const at of [72, 80, 88]) header.writeBigUInt64LE(1n, at);
  // Clustered; neither directories nor tiles are compressed; tiles are vector tiles of zoom level 0.
  header.set([1, 1, 1, 1, 0, 0], 96);
  [-1800000000, -850000000, 1800000000, 850000000].forEach((value, index) => header.writeInt32LE(value, 102 + 4 * index));
  return Buffer.concat([header, Buffer.from([...directory, ...metadata, ...tile])]);
}

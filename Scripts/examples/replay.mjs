// Prints the events of a replay as lines of JSON; after an interruption it continues with the event after the last one.
//   node replay.mjs 'http://127.0.0.1:8080/v1/replay?from=2023-06-01&speed=600'
const url = process.argv[2] ?? 'http://127.0.0.1:8080/v1/replay';
let last = '';
for (;;) {
  try {
    const response = await fetch(url, { headers: last ? { 'Last-Event-ID': last } : {} });
    if (response.status === 204) break; // The replay is over.
    if (!response.ok) throw Object.assign(new Error(await response.text()), { isFinal: response.status < 500 });
    let text = '';
    for await (const part of response.body.pipeThrough(new TextDecoderStream())) {
      const events = (text + part).split('\n\n');
      text = events.pop();
      for (const event of events) {
        const field = (name) => new RegExp(`^${name}: ?(.*)`, 'm').exec(event)?.[1];
        last = field('id') ?? last;
        if (field('event')) console.log(`{"event":"${field('event')}","data":${field('data')}}`);
      }
    }
  } catch (error) {
    console.error(error.message);
    if (error.isFinal) process.exit(1);
  }
  await new Promise((done) => setTimeout(done, 1000));
}

// An agent: it keeps its variables for as long as it lives, whatever happens to the process that runs it.
let count = 0;

agent.on('message', async (message) => {
  count += 1;
  console.log(`message ${count} from ${message.from || 'outside'}: ${message.text()}`);
  await new Promise((done) => setTimeout(done, 100)); // it may be days: while it waits, there is only a row in a table
  return { count, said: message.text() };
});

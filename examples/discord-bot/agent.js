// A bot on the unmodified `discord.js`: it answers what it is told, and stays logged in when its process is killed.
import { Client, Events, GatewayIntentBits } from 'discord.js';

const intents = [GatewayIntentBits.Guilds, GatewayIntentBits.GuildMessages, GatewayIntentBits.MessageContent];

// The first message to the agent is the token of the bot; a second line names another service than Discord.
agent.on('message', async (message) => {
  const [token, api] = message.text().split('\n');
  const client = new Client({ intents, ...(api && { rest: { api } }) });
  client.on(Events.Error, (error) => console.error(error));
  client.on(Events.MessageCreate, async (said) => {
    if (!said.author.bot) await said.reply(`you said ${said.content}`);
  });
  const ready = new Promise((done) => client.once(Events.ClientReady, done));
  await client.login(token);
  return `logged in as ${(await ready).user.username}`;
});

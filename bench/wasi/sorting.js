// What does an interpreter do with records? It makes, sorts and sums them, and says so in between.
for (let round = 1; round <= 8; round++) {
    const records = [];
    for (let number = 0; number < 4000; number++) {
        records.push({number, key: "key " + (number * number * round) % 997});
    }
    records.sort((a, b) => a.key < b.key ? -1 : a.key > b.key ? 1 : a.number - b.number);
    const sum = records.reduce((sum, record) => (sum * 31 + record.number) % 1000003, 0);
    console.log(round, sum, JSON.stringify(records[round * 100]));
}

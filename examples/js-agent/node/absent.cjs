// What stands for a module of Node that an agent does not have. Whoever uses something of it gets undefined.
module.exports = {};
